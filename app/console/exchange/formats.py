"""The formats of an export, each with what it is for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        suffix: ending of the file.
        title: its name.
        purpose: what it is for, in one line.
        film: it has a number of pictures a second.
        strip: it has a number of pictures.
    """

    suffix: str
    title: str
    purpose: str
    film: bool = False
    strip: bool = False

    @property
    def pictures(self) -> bool:
        """It shows the robot."""
        return self.film or self.strip


FORMATS = (
    Format(".gif", "Animated picture (GIF)", "for chats, slides and web pages", film=True),
    Format(".png", "Picture strip (PNG)", "moments with times, for paper and reports", strip=True),
    Format(".bvh", "Skeleton (BVH)", "for animation programs such as Blender"),
    Format(".csv", "Table (CSV)", "for spreadsheets and scripts: seconds and radians"),
    Format(".json", "Motion of Footlight (JSON)", "for another show or another computer"),
)
