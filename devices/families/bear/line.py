"""One RS-485 line of BEAR actuators: one round of communication a tick, and its faults.

A round is one bulk request; its replies arrive before the next tick. An actuator is a member
of the rounds once it is set up, and until it has been silent too long, because a listed
actuator that does not answer may delay the others. The line searches for an actuator that is no
member in rounds that set but do not ask, so that two devices never transmit at once. Every
round carries the command.

While all is normal the sweep serves this line and all others (bear_sweep). The line resumes its
own rounds when one of them fails or when the line has another request to send.

An actuator that was lost, or whose torque switched off by itself, is held: it only damps until
the robot was damped or stopped and its settings were verified.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from devices.families.bear.readings import Readings
from devices.families.bear.rounds import COLUMNS, UNKEPT, Order, Rounds, torque_packet
from devices.families.bear.setup import MISSED, BearPlan, Setup, Step
from devices.families.bear.wire.bulk import BulkRequest, Values
from devices.families.bear.wire.faults import faults
from devices.families.bear.wire.packet import Reply
from devices.families.bear.wire.registers import TorqueEnable
from devices.families.bear.wire.stream import LineCounts, ReplyStream
from devices.interface import Bools, Floats, Trouble
from devices.real.port import Port

Rows: TypeAlias = npt.NDArray[np.intp]

ALL = slice(None)
ENABLE_ROUNDS = 5  # commands that switch the torque on; one or two may be lost
STALE_S = 0.004  # silence after which an actuator may have restarted
CONFIRM_ROUNDS = 15  # rounds after which every actuator must have followed the command
MUTE_ROUNDS = 2  # rounds after a reply to an older round, until the line is empty again
DRAIN = 4  # most reads that empty a line before a request
HARDWARE_BIT = 0x20  # bits of the error byte: supply voltage, or power stage
WATCHDOG_BIT = 0x08  # bit of the error byte that damping raises too
OFF, ON, DAMPING = int(TorqueEnable.OFF), int(TorqueEnable.ON), int(TorqueEnable.DAMPING)
NEVER_S = -np.inf
AWAY, UNDRIVEN, HELD = "was silent", "lost its torque by itself", ""


class BearLine:
    """Owns a line and the state of its actuators. No method waits or raises.

    A tick calls `fetch` until it returns True or the time is up, then `conclude`, then exactly one
    of `drive` and `set_torque`; it calls none of them while the sweep serves the line.

    Attributes:
        port: port of the line.
        plans: its actuators, one for each row (n).
        counts: statistics by id; those of the sweep are added when the line resumes.
        member: whether each actuator takes part in the rounds (n).
        held: whether each actuator is held (n).
        limp: whether each actuator's torque shall be off while others are driven (n).
        errors: newest error bytes (n).
        awaits: replies of this round are outstanding.
        even: all actuators are driven, and all have answered the last round correctly.
    """

    def __init__(
        self,
        port: Port,
        plans: tuple[BearPlan, ...],
        readings: Readings,
        silent_s: float,
        firmware: tuple[str, ...] = (),
    ) -> None:
        """Initialise the line; send nothing.

        Args:
            port: port of the line.
            plans: its actuators (n).
            readings: destination of the readings (n rows).
            silent_s: silence after which an actuator counts as lost [s].
            firmware: tested firmware versions.
        """
        count = len(plans)
        self.port = port
        self.plans = plans
        self.counts = LineCounts()
        self.member: Bools = np.zeros(count, dtype=np.bool_)
        self.held: Bools = np.ones(count, dtype=np.bool_)
        self.limp: Bools = np.zeros(count, dtype=np.bool_)
        self.errors = readings.errors
        self.even = False
        self._readings = readings
        self._silent_s = silent_s
        self._firmware = firmware
        self._setups = [Setup(plan) for plan in plans]
        self._why = [HELD] * count
        self._sure: Bools = np.zeros(count, dtype=np.bool_)
        self._since_s: Floats = np.zeros(count)
        self._rounds: Rounds | None = None
        self._rows: Rows = np.arange(0)
        self._all_on: list[int] = []
        # Unconfirmed results of a round besides the motion: the actuator's row and the round's
        # turn.
        self._told: slice | Rows = ALL
        self._told_turn = 0
        self._whole = False  # every actuator is a member
        self._single = ReplyStream(self.counts)
        self._asked = -1  # row of the actuator whose setup this round continues
        self._reply: Reply | None = None
        self.awaits = False
        self._late = False  # replies of an older round may be outstanding
        self._mute = 0
        self._driven = 0  # keep their torque nevertheless
        self._stopped = 0  # rounds since the torque was switched off or damped
        # actuators that keep their torque nevertheless
        self._stuck: Bools = np.zeros(count, dtype=np.bool_)
        self._damping = False
        self._hold = b""  # keeps the held actuators damped, and the limp ones off
        self._gains: dict[int, bytes] = {}  # by row, until the line accepts them
        self._opening = 0
        self._sent_s = NEVER_S
        self._looked = 0
        self._served = False
        self._open = True  # the setup of some actuator is unfinished

    def fetch(self, now_s: float) -> bool:
        """Process the received bytes; return whether no reply is outstanding."""
        return self.hear(self.port.read(now_s), now_s)

    def hear(self, data: bytes, now_s: float) -> bool:
        """Process the given bytes; return whether no reply is outstanding."""
        self.even = False
        if self.port.openings != self._opening or self.port.descriptor < 0:
            self._lose(now_s)
            return True
        if not self.awaits:
            self.counts.noise_bytes += len(data)
        elif data and self._asked >= 0:
            self._note(self._single.feed(data))
        elif data and self._rounds is not None and self._rounds.stream.feed(data):
            self.awaits = False
        return not self.awaits

    def conclude(self, now_s: float) -> None:
        """End the round: copy the replies to the readings."""
        taken = False
        self._late = self.awaits
        self.awaits = False
        if self._asked >= 0:
            if self._late:
                self._note(self._single.end())
            self._go_on(now_s)
        elif self._rounds is not None and self._sent_s > NEVER_S:
            whole = self._rounds.stream.end() if self._late else True
            self._late = not whole
            taken = self._take(self._rounds, whole) and whole
            if not whole:
                self.dismiss(now_s)
        self._sent_s = NEVER_S
        self.even = taken and self._is_even()

    def drive(self, goals: Values, now_s: float) -> None:
        """Send position [rad], velocity [rad/s] and current [A] (n, 3); enable torque if due."""
        if self._driven == 0:
            self._stopped = 0
            self._stuck[:] = False
            self.held |= ~self._sure
            for row in np.flatnonzero(self.held):
                self._why[row] = self._why[row] or AWAY
            self._plan_hold()
        # Send the set-points first: no actuator is enabled with an old one.
        enables = 0 < self._driven <= ENABLE_ROUNDS
        request = self._request(Order.ENABLE if enables else Order.GOALS, now_s)
        if request is not None:
            if self._hold:
                goals = goals.copy()
                goals[self.held, 0] = self._readings.motion[self.held, 0]
                goals[self.held, 1:] = 0.0
            request.values[:, :3] = goals if self._whole else goals[self._rows]
            if enables:
                held, limp = self.held[self._rows], self.limp[self._rows]
                request.words[:, 3] = np.where(held, DAMPING, np.where(limp, OFF, ON))
        self._driven += 1
        if self._damping:
            self._undamp()
        self._send(self._hold, request, now_s)

    def relax(self, limp: Bools) -> None:
        """Choose the actuators whose torque is off while the others are driven (n)."""
        self.even = False
        if (self.limp & ~limp).any():
            self._driven = min(self._driven, 1)  # switch their torque on again
        self.limp[:] = limp
        self._plan_hold()

    @property
    def turn(self) -> int:
        """Number of the newest round."""
        return 0 if self._rounds is None else self._rounds.turn

    def resume(self, turn: int, told_turn: int, taken: int, sent_s: float) -> None:
        """Resume the line's own rounds after the sweep.

        Args:
            turn: number of the newest round.
            told_turn: number of the last round that was answered.
            taken: number of rounds that were answered.
            sent_s: time of the newest request if its replies are outstanding; else NEVER_S [s].
        """
        self.even = False
        if self._rounds is None:
            return
        self.counts.good[self._rounds.replies.index] += taken
        self._rounds.turn = turn
        self._told, self._told_turn = ALL, told_turn
        self.awaits, self._sent_s = sent_s > NEVER_S, sent_s
        if self.awaits:
            self._rounds.stream.begin()

    def set_torque(self, word: TorqueEnable, now_s: float) -> None:
        """Damp every actuator or switch all torques off; afterwards they may be driven again."""
        self.even = False
        self._driven = 0
        self._stopped += 1
        if word is TorqueEnable.DAMPING:
            self._damping = True
        elif self._damping:
            self._undamp()
        for row in np.flatnonzero(self.member & (self.held | ~self._sure)):
            self.held[row] = not self._sure[row]
            if self._sure[row]:
                self._why[row] = HELD
            else:
                self._setups[row].recheck(now_s)
                self._open = True
        request = self._request(Order.TORQUE, now_s)
        if request is not None:
            request.words[:, 0] = word
        # An actuator that does not answer may still receive.
        off = b"" if self._damping else self._off()
        self._send(off, request, now_s)

    def _undamp(self) -> None:
        """End damping; damping flags in the newest replies are still expected."""
        self._damping = False
        self.errors[self.member] = self.errors[self.member].astype(int) & ~WATCHDOG_BIT

    def set_gains(self, row: int, p_gain: float, d_gain: float) -> None:
        """Send an actuator new force gains in the next round [A/rad], [A·s/rad]."""
        self.even = False
        packet = self._setups[row].regain(p_gain, d_gain)
        if self.member[row]:
            self._gains[row] = packet

    def troubles(self, powered: bool = True) -> tuple[Trouble, ...]:
        """Return the faults of the line and its actuators.

        Args:
            powered: the motors have their supply; without it their voltage faults are not reported.
        """
        device = self.port.device
        found = list(self.port.troubles())
        if self.port.descriptor < 0:
            return tuple(found)
        strange = {s.versions for s in self._setups if s.versions} - set(self._firmware)
        if strange:
            text = f"firmware {', '.join(sorted(strange))} is not listed as tested; test it first"
            found.append(Trouble(device, text))
        if all(setup.missed >= MISSED for setup in self._setups):
            text = "no actuator answers; check their supply and the bus cable"
            return (*found, Trouble(device, text, grave=True))
        for row, plan in enumerate(self.plans):
            text, grave = self._trouble(row, powered)
            if text:
                name = plan.joint.replace("_", " ")
                found.append(Trouble(device, f"{name} (id {plan.id}) {text}", grave))
        return tuple(found)

    def close(self) -> None:
        """Release the line."""
        self.port.close()

    def _trouble(self, row: int, powered: bool) -> tuple[str, bool]:
        setup = self._setups[row]
        if setup.objection:
            return f"keeps {setup.objection}; correct the setting or replace the actuator", True
        if not self.member[row]:
            silent = setup.missed >= MISSED
            return ("does not answer; check its supply and plugs", True) if silent else ("", False)
        if self._stuck[row]:
            return "keeps its torque after a switch-off; press the E-stop", True
        mine = WATCHDOG_BIT if self._damping or self.held[row] else 0
        mine |= 0 if powered else HARDWARE_BIT
        found = faults(int(self.errors[row]) & ~mine)
        if found:
            words = " and ".join(fault.name for fault in found)
            grave = any(fault.latched or not fault.mask & 0x7F for fault in found)
            return f"reports {words}: {' '.join(fault.advice for fault in found)}", grave
        if self._why[row]:
            return f"{self._why[row]}; damp or stop the robot before it is driven again", True
        return "", False

    def _request(self, order: Order, now_s: float) -> BulkRequest | None:
        """Choose this round's request: a question to all members, or one actuator's setup step."""
        self._asked = -1
        if self.port.descriptor < 0:
            return None
        served, self._served = self._served, False
        if self._open and not served:
            self._look_after_one(now_s)
        if self._rounds is None:
            return None
        if self._asked >= 0 or self._mute > 0:
            return self._rounds.tell(order)
        return self._rounds.ask(order)

    def _look_after_one(self, now_s: float) -> None:
        """Choose the next actuator whose setup is due, in turn."""
        for i in range(len(self.plans)):
            row = (self._looked + i) % len(self.plans)
            setup = self._setups[row]
            if setup.step is not Step.NONE and setup.due_s <= now_s:
                self._asked, self._looked = row, row + 1
                self._served = self._rounds is not None  # the next round asks the members
                return
        self._open = any(setup.step is not Step.NONE for setup in self._setups)

    def _send(self, before: bytes, request: BulkRequest | None, now_s: float) -> None:
        if self.port.descriptor < 0:
            return
        if self._late:
            for _ in range(DRAIN):
                if not self.port.read(now_s):
                    break
        packet: bytes | bytearray = b"" if request is None else request.seal()
        if self._gains:
            before += b"".join(self._gains.values())
        if before:
            packet = before + packet
        if self._asked >= 0:
            self._reply = None
            question, size = self._setups[self._asked].request()
            packet = packet + question
            self.awaits = size >= 0
            if self.awaits:
                self._single.begin({self.plans[self._asked].id: size})
        elif self._mute > 0:
            self._mute -= 1
        elif self._rounds is not None:
            self._rounds.stream.begin()
            self.awaits = True
            self._sent_s = now_s
        if packet and not self.port.write(packet):
            self.awaits = False
            self._sent_s = NEVER_S
            self._asked = -1
            self.dismiss(now_s)  # an actuator that is not asked is silent too
            return
        self._gains.clear()

    def _is_even(self) -> bool:
        """Return whether the next round of set-points has no special request."""
        odd = self._hold or self._gains or self._open or self._late or self._mute
        return not odd and self._whole and self._driven > CONFIRM_ROUNDS

    def _note(self, replies: list[Reply]) -> None:
        for reply in replies:
            self._reply = reply
            self.awaits = False

    @np.errstate(invalid="ignore")  # a signalling NaN must not raise a warning
    def _take(self, rounds: Rounds, whole: bool) -> bool:
        """Copy a round's replies to the readings; return whether they belong to it."""
        replies, readings = rounds.replies, self._readings
        kept = COLUMNS[rounds.turn] != UNKEPT
        if not kept:
            told, turn, self._told_turn = self._told, self._told_turn, rounds.turn
            if not self._confirm(rounds):
                return False
            if COLUMNS[turn] != UNKEPT:
                readings.table[told, COLUMNS[turn]] = readings.told[told]
        if whole and self._whole:
            readings.motion[:] = rounds.motion
            readings.heard_s.fill(self._sent_s)
            self.errors[:] = replies.errors
            if kept:
                readings.told[:] = rounds.extra
                self._told, self._told_turn = ALL, rounds.turn
            return True
        fresh = replies.fresh
        rows = self._rows[fresh]
        readings.motion[rows] = rounds.motion[fresh]
        readings.heard_s[rows] = self._sent_s
        self.errors[rows] = replies.errors[fresh]
        if kept:
            readings.told[rows] = rounds.extra[fresh]
            self._told, self._told_turn = rows, rounds.turn
        return True

    def _confirm(self, rounds: Rounds) -> bool:
        """Hold actuators that lost their torque; return whether the replies belong to this round.

        A reply has no number. A reply that does not answer the request for the torque's state
        belongs
        to an older round: the line then sends nothing until it is empty.
        """
        words, fresh = rounds.words, rounds.replies.fresh
        if self._driven and words.tolist() == self._all_on:
            return True
        if (words[fresh] > DAMPING).any():
            self._mute = MUTE_ROUNDS
            self._late = True
            return False
        if self._driven > CONFIRM_ROUNDS:
            meant = self.held[self._rows] | self.limp[self._rows]
            lost = self._rows[fresh & (words != ON) & ~meant]
            if lost.size:
                self._hold_back(lost, UNDRIVEN)
        if self._stopped > CONFIRM_ROUNDS:
            self._stuck[self._rows[fresh]] = words[fresh] == ON
        return True

    def dismiss(self, now_s: float) -> None:
        """Remove actuators that were silent too long from the rounds."""
        heard = np.maximum(self._readings.heard_s, self._since_s)
        gone = np.flatnonzero(self.member & (now_s - heard > self._silent_s))
        if gone.size:
            for row in gone:
                self._setups[row].begin(now_s, MISSED)
                self._gains.pop(int(row), None)  # the setup adds them again
            self.member[gone] = False
            self._hold_back(gone, AWAY)
            self._form()
        self._sure[now_s - heard > STALE_S] = False

    def _hold_back(self, rows: Rows, why: str) -> None:
        self._open = True
        self.held[rows] = True
        self._sure[rows] = False
        for row in rows:
            self._why[row] = why
        self._plan_hold()

    def _plan_hold(self) -> None:
        damped, off = self.held & self.member, self.limp & ~self.held & self.member
        self._hold = self._torque(damped, TorqueEnable.DAMPING) + self._torque(
            off, TorqueEnable.OFF
        )

    def _torque(self, which: Bools, word: TorqueEnable) -> bytes:
        return torque_packet(tuple(self.plans[row].id for row in np.flatnonzero(which)), word)

    def _off(self) -> bytes:
        return b"" if self.member.all() else self._torque(~self.member, TorqueEnable.OFF)

    def _go_on(self, now_s: float) -> None:
        """Let a setup take its next step; add or remove its actuator."""
        row, self._asked = self._asked, -1
        setup = self._setups[row]
        setup.proceed(self._reply, now_s)
        if setup.step is Step.NONE:
            self._sure[row] = True
            if not self.member[row]:
                self.member[row] = True
                self._since_s[row] = now_s
                self._form()
        elif setup.step is Step.FIND and self.member[row]:
            self.member[row] = False
            self._sure[row] = False
            self._form()

    def _form(self) -> None:
        """Rebuild the rounds for the present members."""
        self._rows = np.flatnonzero(self.member)
        self._whole = bool(self.member.all())
        ids = tuple(self.plans[row].id for row in self._rows)
        self._rounds = Rounds.of(ids, self.counts) if ids else None
        self._told_turn = 0  # actuators whose answers are not stored
        self._all_on = [ON] * len(ids)
        self._plan_hold()

    def _lose(self, now_s: float) -> None:
        """Restart with all actuators after the line was closed or opened again."""
        self._asked, self.awaits, self._late, self._sent_s = -1, False, False, NEVER_S
        if self.port.openings == self._opening and not self._setups_begun():
            return
        self._opening = self.port.openings
        back = self._opening > 1
        self.member[:] = False
        for setup in self._setups:
            setup.begin(now_s)
        self._hold_back(np.arange(len(self.plans)), AWAY if back else HELD)
        self._form()

    def _setups_begun(self) -> bool:
        return any(setup.step is not Step.FIND for setup in self._setups)
