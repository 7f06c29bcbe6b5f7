"""Make the spoken phrases of a show: `python assets/sounds/build.py SHOW [FOLDER]`.

SHOW is the name of a show in shows/library; FOLDER is its folder `audio` by default.

Requires the programs espeak-ng (a formant synthesiser; it plays no recording of a person) and sox,
both at build time only. Each phrase is synthesised, passed through a short comb filter for a
metallic sound, preceded by a beep if it has one, trimmed of silence and normalised to one
loudness. Mono, 24 kHz, FLAC.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

RATE_HZ = 24_000
VOICE = "en-us+f4"
LOUDNESS_DB = -3.0
LIBRARY = Path(__file__).resolve().parents[2] / "shows" / "library"


@dataclass(frozen=True)
class Phrase:
    """One spoken phrase.

    Attributes:
        text: The spoken text; a comma or a point makes a pause.
        chirp: Tones of the opening beep [Hz]; empty for none.
        words_per_minute: The speed of speech.
        pitch: espeak-ng's pitch, 0 to 99.
    """

    text: str
    chirp: tuple[int, ...] = (880, 1320)
    words_per_minute: int = 158
    pitch: int = 72


COSMO: dict[str, Phrase] = {
    "hello": Phrase("Hello, hello! I am Cosmo. And you are all here! Wow!", (784, 988, 1319)),
    "so_many_faces": Phrase("Ooh! So many faces. Over there, and over there too!"),
    "let_me_think": Phrase("Hmm. What shall we do first?", (660, 587), 140, 66),
    "idea": Phrase("Aha! Let us go for a walk!", (988, 1319, 1760), 165, 80),
    "here_i_come": Phrase("Here I come! One boot, and then the other boot. Easy!"),
    "at_your_service": Phrase("Cosmo, ready for adventure!", (784, 784, 1175), 150, 68),
    "sideways": Phrase("And now, my famous sideways step. Left, left, left!"),
    "like_a_hero": Phrase("Chin up. Chest out. This is how a hero stands.", (523, 784), 146, 62),
    "round_i_go": Phrase("Round I go. Hello, you over there!"),
    "friends": Phrase("I see friends on this side. And friends on that side!"),
    "no_idea": Phrase("How do I do it? I have no idea!", (784, 659, 587), 152, 74),
    "and_back": Phrase("And all the way back. Hello again!"),
    "clap_along": Phrase("You clap, I clap. Thank you!", (988, 988, 988), 160, 76),
    "big_hug": Phrase("A big hug, for every one of you.", (659, 880), 142, 70),
    "music": Phrase("Music, please! It is time to dance!", (784, 988, 1175, 1568), 162, 78),
    "photo": Phrase("Photo time! I can stand very, very still.", (1568, 1175), 156, 74),
    "giggle": Phrase("Hee hee hee! Did I blink?", (), 172, 84),
    "thank_you": Phrase("Thank you. You are the best crowd in the galaxy.", (659, 784), 150, 68),
    "hooray": Phrase("Hip, hip, hooray!", (784, 988, 1319, 1568), 158, 82),
    "goodbye": Phrase("Good bye, friends! Be brave, be kind, and come back soon!", (1319, 988)),
}
ARMS: dict[str, Phrase] = {
    "good_day": Phrase("Good day. We are the two arms.", (392, 523), 148, 34),
    "wave_back": Phrase("Please wave back.", (), 150, 38),
    "on_the_beat": Phrase("Keep the beat!", (440, 440), 156, 36),
    "hand_over": Phrase("From left to right.", (), 144, 34),
    "your_turn": Phrase("Now you!", (523, 659), 154, 40),
    "that_was_it": Phrase("Thank you for watching.", (659, 523), 146, 34),
}
DRACO: dict[str, Phrase] = {
    "good_evening": Phrase("Good evening. My name is Draco Three.", (294, 440), 146, 22),
    "tall": Phrase(
        "I am one metre and thirty-five tall, and this is as straight as I stand.", (), 150, 24
    ),
    "knees": Phrase(
        "Look at my knees. They have no pin. They roll, one cylinder on another.",
        (392, 294),
        142,
        20,
    ),
    "down": Phrase("Down. And up again. Is it not smooth?", (330,), 140, 20),
    "no_idea": Phrase("How do they stay together? Well, who knows.", (392, 370), 148, 26),
    "music": Phrase("A little music, please.", (294, 370, 440), 146, 24),
    "strong": Phrase("Rolling keeps you strong.", (330, 392), 148, 22),
    "cheer": Phrase("And now, all together!", (392, 494, 587), 156, 28),
    "thank_you": Phrase("Thank you for your kind attention.", (440, 370), 144, 22),
    "farewell": Phrase("Farewell, and keep rolling!", (440, 294), 146, 24),
}
HOPKIN: dict[str, Phrase] = {
    "hello": Phrase("Hello! I am Hopkin. I am small, but I can run!", (1319, 1568), 172, 90),
    "here_i_come": Phrase("Here I come!", (1568, 1760), 170, 92),
    "to_the_beat": Phrase("And hop!", (), 168, 90),
    "round": Phrase("Round and round. And a few hops back.", (1175, 1319), 168, 88),
    "and_back": Phrase("And back again.", (1319, 1175), 166, 88),
    "good_bye": Phrase("Good bye! My feet are tired now.", (1568, 1319), 162, 88),
    "thank_you": Phrase("Thank you!", (1319, 1760), 158, 90),
}
DUEL: dict[str, Phrase] = {
    "welcome": Phrase("Good evening. I am Cosmo, and this is my partner.", (784, 988), 150, 70),
    "measure": Phrase("Arms out, please. Let me look at you. One moment.", (659, 784), 150, 70),
    "arms": Phrase("You move your arms, and I am your mirror.", (880, 1175), 154, 72),
    "head": Phrase("Now the head, too.", (), 150, 70),
    "body": Phrase("And now with the whole body.", (784, 880), 150, 70),
    "steps": Phrase("Step by step. Can you see my feet?", (988, 1175), 154, 72),
    "answers": Phrase("And now I answer. Show me what you can!", (988, 1319, 1568), 158, 76),
    "thank_you": Phrase("What a duel! Thank you, partner.", (1319, 988), 150, 70),
}
SHOWS: dict[str, dict[str, Phrase]] = {
    "meet_cosmo": COSMO,
    "arms_at_work": ARMS,
    "meet_draco": DRACO,
    "meet_hopkin": HOPKIN,
    "duel": DUEL,
}


def speak(phrase: Phrase, path: Path, work: Path) -> None:
    """Write one phrase as a FLAC file.

    Args:
        phrase: The text and how it is spoken.
        path: The file to write.
        work: A folder for intermediate files.

    Raises:
        RuntimeError: espeak-ng or sox failed; the message has its error output.
    """
    spoken, voiced, chirp = work / "spoken.wav", work / "voiced.wav", work / "chirp.wav"
    _run(
        "espeak-ng",
        "-v",
        VOICE,
        "-s",
        str(phrase.words_per_minute),
        "-p",
        str(phrase.pitch),
        "-a",
        "160",
        "-g",
        "2",
        "-w",
        str(spoken),
        phrase.text,
    )
    _run(
        "sox",
        "-R",
        "-D",
        str(spoken),
        "-r",
        str(RATE_HZ),
        "-c",
        "1",
        str(voiced),
        "gain",
        "-9",
        "pitch",
        "190",
        "rate",
        str(RATE_HZ),
        # Two echoes of a few milliseconds sound like a small metal room.
        "echos",
        "0.85",
        "0.8",
        "6",
        "0.35",
        "11",
        "0.22",
        "chorus",
        "0.75",
        "0.85",
        "22",
        "0.30",
        "0.6",
        "1.2",
        "-t",
        "highpass",
        "170",
        "equalizer",
        "2800",
        "1.2q",
        "4",
        "treble",
        "2",
        "6000",
        "compand",
        "0.005,0.12",
        "6:-60,-40,-18,-12,0,-6",
        "0",
        "-60",
        "0.02",
    )
    parts = [str(voiced)]
    if phrase.chirp:
        _chirp(phrase.chirp, chirp, work)
        parts.insert(0, str(chirp))
    trim = ["silence", "1", "0.01", "-46d", "reverse", "silence", "1", "0.01", "-46d"]
    _run(
        "sox",
        "-R",
        "-D",
        *parts,
        "-b",
        "16",
        str(path),
        *trim,
        "fade",
        "t",
        "0.03",
        "reverse",
        "fade",
        "t",
        "0.004",
        "norm",
        str(LOUDNESS_DB),
    )


def _chirp(tones_hz: tuple[int, ...], path: Path, work: Path) -> None:
    """Write a beep of short tones, each with a small upward glide, and a pause after the last."""
    notes = []
    for i, tone in enumerate(tones_hz):
        note = work / f"note{i}.wav"
        _run(
            "sox",
            "-R",
            "-D",
            "-n",
            "-r",
            str(RATE_HZ),
            "-c",
            "1",
            str(note),
            "synth",
            "0.075",
            "triangle",
            f"{tone}:{round(tone * 1.06)}",
            "fade",
            "t",
            "0.008",
            "0.075",
            "0.03",
            "gain",
            "-15",
        )
        notes.append(str(note))
    _run("sox", "-R", "-D", *notes, str(path), "pad", "0", "0.06")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")


def main() -> int:
    """Write every phrase of a show into its folder, or into the given one."""
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in SHOWS:
        print(f"usage: build.py SHOW [FOLDER]; SHOW is {' or '.join(SHOWS)}", file=sys.stderr)
        return 2
    missing = [program for program in ("espeak-ng", "sox") if shutil.which(program) is None]
    if missing:
        print(
            f"assets/sounds/build.py requires {' and '.join(missing)}: install them and try again",
            file=sys.stderr,
        )
        return 2
    show = sys.argv[1]
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else LIBRARY / show / "audio"
    folder.mkdir(parents=True, exist_ok=True)
    for name, phrase in SHOWS[show].items():
        with tempfile.TemporaryDirectory() as work:
            speak(phrase, folder / f"{name}.flac", Path(work))
        print(f"{name:16} {phrase.text}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
