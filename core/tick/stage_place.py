"""Where the robot is on the stage: its place in the frame of the marks."""

from shows.marks import ORIGIN, Place

LIFTED_S = 0.5  # a robot without a loaded foot for this long is carried; flights are shorter


class StagePlace:
    """Owns the frame of the stage, and whether the robot's place in it is known.

    The frame begins where the robot first stands up. A fall, and feet that leave the floor for
    longer than in a jump, end what is known, until an operator tells where it stands.

    Attributes:
        origin: the frame of the stage in the world frame.
        known: the place of the robot is known.
    """

    def __init__(self) -> None:
        self.origin = self._first = ORIGIN
        self.known = True
        self._begun = False
        self._borne_s = 0.0

    def begin(self, place: Place) -> None:
        """Take the place at which the robot first stands up as the origin.

        Args:
            place: of the robot, world frame.
        """
        if not self._begun:
            self._begun = True
            self.origin = self._first = place

    def watch(self, now_s: float, borne: bool) -> None:
        """Notice a robot that is carried.

        Args:
            now_s: time of the tick [s].
            borne: its feet carry it.
        """
        if borne or not self._begun:
            self._borne_s = now_s
        elif now_s - self._borne_s > LIFTED_S:
            self.known = False

    def lose(self) -> None:
        """Forget the place: the robot has fallen."""
        self.known = False

    def tell(self, place: Place, stage: Place) -> None:
        """Take an operator's word for the place of the robot.

        Args:
            place: of the robot, world frame.
            stage: the same, frame of the stage.
        """
        self.origin = ORIGIN.within(stage).beyond(place)
        self.known = self._begun = True

    def put_back(self) -> None:
        """Know the place again: the robot was put back where it started."""
        self.origin, self.known = self._first, True

    def on_stage(self, place: Place) -> Place:
        """Return a place of the world in the frame of the stage."""
        return place.within(self.origin)

    def in_world(self, stage: Place) -> Place:
        """Return a place of the stage in the world frame."""
        return stage.beyond(self.origin)
