"""The log file: its contents for MCAP readers and Foxglove, and files that it does not replace."""

import json
import math
from pathlib import Path

import pytest
from mcap.reader import make_reader

from core.link.event import Event
from core.link.message import decoded
from core.link.partner import Human, PartnerReport, Reply, Symbol
from core.link.status import Status
from core.record import log_file
from core.record.errors import RecordError
from core.record.log_file import LogFile, check_path
from core.record.run_file import RunFile
from core.record.schema import parse_description, tick_dtype
from core.record.tape import read_block
from tests.core.record.records import blocks, write
from tests.stand_in import HELLO, JOINTS

PARTNERED = {"/human", "/partner", "/reply"}


def test_an_mcap_reader_finds_every_channel(tmp_path: Path) -> None:
    with write(tmp_path / "run.mcap").open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None and summary.statistics is not None
        counts = {
            summary.channels[i].topic: n
            for i, n in summary.statistics.channel_message_counts.items()
        }
        metadata = {record.name: record.metadata for record in reader.iter_metadata()}
    assert counts["/ticks"] == 51 and counts["/status"] == 51
    assert counts["/pose"] == counts["/joints"] == 125  # 50 Hz of 2.5 s
    assert counts["/events"] == 7 and counts["/report"] == 1
    assert all(index.compression == "zstd" for index in summary.chunk_indexes)
    assert json.loads(metadata["footlight"]["hello"])["joint_names"] == list(JOINTS)
    assert metadata["end"]["missing_blocks"] == "0" and metadata["end"]["ticks"] == "2500"


def test_the_schema_in_the_file_decodes_the_ticks(tmp_path: Path) -> None:
    with write(tmp_path / "run.mcap").open("rb") as file:
        for schema, _, message in make_reader(file).iter_messages(topics=["/ticks"]):
            assert schema is not None
            rows = read_block(message.data, parse_description(schema.data)).rows
            if len(rows):
                assert message.log_time == round(float(rows["t"][0]) * 1e9)


def test_what_foxglove_draws(tmp_path: Path) -> None:
    with write(tmp_path / "run.mcap").open("rb") as file:
        messages = [
            (schema.name, schema.encoding, json.loads(schema.data), json.loads(message.data))
            for schema, _, message in make_reader(file).iter_messages(
                topics=["/pose", "/joints", "/events", "/status"]
            )
            if schema is not None
        ]
    by_name = {name: (schema, data) for name, _, schema, data in messages}
    assert {encoding for _, encoding, _, _ in messages} == {"jsonschema"}
    assert set(by_name) == {
        "foxglove.PoseInFrame",
        "foxglove.JointStates",
        "foxglove.Log",
        "footlight.Status",
    }
    for schema, data in by_name.values():
        assert schema["type"] == "object" and set(data) <= set(schema["properties"])
    pose = by_name["foxglove.PoseInFrame"][1]
    assert pose["timestamp"] == {"sec": 2, "nsec": 480_000_000}
    assert math.isclose(pose["pose"]["position"]["x"], 0.248, abs_tol=1e-6)
    assert len(by_name["foxglove.JointStates"][1]["joints"]) == 28
    assert by_name["foxglove.Log"][1]["name"] == "voice"


def test_what_the_partner_says_is_kept_on_the_clock_of_the_core(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    log = LogFile(path, HELLO, "", reserve_bytes=0)
    person = Human(107.0, ((0.0, 0.1, 0.2),) * 22, ((1.0, 0.0, 0.0, 0.0),) * 22)
    log.partner(person)  # no status has told the time yet
    for block in blocks(5000):
        log.block(block)
    log.status(Status(5.0, host_stamp_s=107.5))
    log.partner(person)
    log.partner(PartnerReport(107.25, symbols=(Symbol("wave", 4, score=0.7),)))
    log.partner(Reply(3, 107.4, "recoil", "punch"))
    log.partner(Human(9e9, person.positions))  # a stamp astray: the time of the newest tick
    log.close()
    with path.open("rb") as file:
        messages = list(make_reader(file, validate_crcs=True).iter_messages())
    told = {c.topic: (s, m) for s, c, m in reversed(messages) if s and c.topic in PARTNERED}
    assert {topic: m.log_time for topic, (_, m) in told.items()} == {
        "/human": 4_500_000_000,
        "/partner": 4_750_000_000,
        "/reply": 4_900_000_000,
    }
    for schema, message in told.values():
        known, found = json.loads(schema.data), json.loads(message.data)
        assert set(found) <= set(known["properties"]) and None not in found.values()
    run = RunFile(path)
    passages = [run.passage(index) for index in range(len(run.places))]
    run.close()
    humans = [one for passage in passages for one in passage.humans]
    assert [one.time_s for one in humans] == pytest.approx([4.5, 4.999])
    assert decoded(humans[0].content, Human) == person
    (report,) = (one for passage in passages for one in passage.partners)
    kept = decoded(report.content, PartnerReport)
    assert kept is not None and kept.source.age_s == math.inf == kept.heard_s
    assert kept.symbols == (Symbol("wave", 4, score=0.7),)


def test_missing_blocks_are_counted(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "run.mcap", HELLO, "", reserve_bytes=0)
    found = blocks(500)
    for number in (0, 1, 4, 5, 9):
        log.block(found[number])
    assert log.missing_blocks == 5
    log.close()


def test_a_block_of_another_layout_is_counted_not_written(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "run.mcap", HELLO, "", reserve_bytes=0)
    log.block(b"noise")
    assert log.refused_blocks == 1
    log.close()


def test_times_that_are_none_do_not_end_the_log(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "run.mcap", HELLO, "", reserve_bytes=0)
    log.status(Status(math.nan))
    log.status(Status(-1.0))
    log.event(Event(math.inf, "core", "odd"))
    log.close()


def test_a_sealed_log_grows_no_more_and_still_sees_the_end(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "run.mcap", HELLO, "", reserve_bytes=0)
    found = blocks(500)
    log.block(found[0])
    log.seal()
    assert [log.block(block) for block in found[1:]] == [False] * (len(found) - 2) + [True]
    log.close()
    assert log.last_stamp_s == pytest.approx(0.049)
    assert (tmp_path / "run.mcap").stat().st_size < 100_000


def test_the_reserve_ends_the_log_with_a_sentence(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "run.mcap", HELLO, "", reserve_bytes=2**62)
    with pytest.raises(OSError, match="the disk is full"):
        log.flush()
    log.close()


def test_only_a_record_is_replaced(tmp_path: Path) -> None:
    show = tmp_path / "show.json"
    show.write_text("{}")
    with pytest.raises(RecordError, match="would replace a file that is not a record"):
        LogFile(show, HELLO, "")
    assert show.read_text() == "{}"
    record = write(tmp_path / "run.mcap", ticks=50)
    (tmp_path / "empty.mcap").touch()
    check_path(record)
    check_path(tmp_path / "empty.mcap")
    check_path(tmp_path / "new.mcap")


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for path, why in (
        (tmp_path / "no" / "run.mcap", "there is no folder"),
        (tmp_path, "is a folder"),
    ):
        with pytest.raises(RecordError, match=why):
            check_path(path)
    with pytest.raises(RecordError, match="cannot be written"):
        LogFile(Path("/proc/run.mcap"), HELLO, "")


def test_a_chunk_holds_several_blocks() -> None:
    assert tick_dtype(28, 5, True).itemsize * 50 < log_file.CHUNK_BYTES
