"""Names beside spots: they hide neither each other nor a spot, as far as there is room."""

from app.console.partner.label_places import Box, Point, box_at, sides_of

RADIUS, SIZE, PICTURE = 5.0, (60.0, 16.0), (300.0, 120.0)


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def boxes_of(spots: list[Point]) -> list[Box]:
    sides = sides_of(spots, [SIZE] * len(spots), RADIUS, PICTURE)
    return [box_at(spot, SIZE, side, RADIUS) for spot, side in zip(spots, sides, strict=True)]


def test_names_of_near_spots_are_apart_and_a_lone_one_stands_below() -> None:
    spots = [(120.0, 50.0), (150.0, 52.0), (135.0, 70.0), (40.0, 50.0)]
    boxes = boxes_of(spots)
    assert all(apart(boxes[i], boxes[j]) for i in range(4) for j in range(i))
    marks = [(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in spots]
    assert all(apart(box, mark) for box in boxes for mark in marks)
    assert boxes[3] == (10.0, 55.0, 70.0, 71.0)


def test_no_name_leaves_the_picture() -> None:
    corners = [(4.0, 4.0), (296.0, 4.0), (4.0, 116.0), (296.0, 116.0), (150.0, 117.0)]
    for left, top, right, bottom in boxes_of(corners)[4:]:
        assert left >= 0.0 and right <= PICTURE[0] and top >= 0.0 and bottom <= PICTURE[1]
    shown = [box for spot in corners[:4] for box in boxes_of([spot])]
    assert all(box[0] > -6.0 and box[2] < PICTURE[0] + 6.0 for box in shown)
