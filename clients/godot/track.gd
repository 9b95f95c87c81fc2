# Where an agent is at each moment: points by arrival, at least one. Before the first it is there,
# after the last it stays there. Moments are ticks of the server.
#
# This file, `follower.gd`, `tick_clock.gd`, `chase_client.gd` and `map_text.gd` use only what
# Godot 3 and 4 have in common. Debian packages Godot 3, so that the tests run there.

# A point of a track.
class TrackPoint:
	var at: Vector3
	var departure: float
	var arrival: float
	var jump: bool
	# The kind of the link that leads here; -1 for none.
	var link: int

	func _init(place: Vector3, leaves: float, arrives: float, jumps: bool, by_link: int = -1):
		at = place
		departure = leaves
		arrival = arrives
		jump = jumps
		link = by_link


var _points: Array = []


func _init(at: Vector3):
	_points.append(TrackPoint.new(at, -INF, -INF, false))


func count() -> int:
	return _points.size()


func point(number: int) -> TrackPoint:
	return _points[number]


func last() -> Vector3:
	return _points[_points.size() - 1].at


# Forgets the plan from a tick on, and the `ticks` before it, in which the agent moves to another
# place instead.
func cut(tick: float, ticks: float) -> void:
	var kept: int = 0
	while kept < _points.size() and _points[kept].arrival < tick:
		kept += 1
	kept = int(max(kept, 1))
	var turn: float = tick - ticks
	if kept < _points.size() and turn > _points[kept - 1].arrival:
		# It was on the way to a point that it will not reach.
		var to: TrackPoint = _points[kept]
		var departure: float = min(to.departure, turn)
		_points[kept] = TrackPoint.new(at(turn), departure, turn, false)
		kept += 1
	_points.resize(kept)
	if kept == 1 and _points[0].arrival >= tick:
		# All points lie later. As far as is known, it was there before.
		_points[0].arrival = -INF


# Appends a point. The way there takes at most `ticks`.
func push(at: Vector3, arrival: float, ticks: float, jump: bool, link: int = -1) -> void:
	var before: float = _points[_points.size() - 1].arrival
	var arrives: float = max(arrival, before)
	_points.append(TrackPoint.new(at, max(before, arrives - ticks), arrives, jump, link))


# The number of the first point reached after a moment.
func next(tick: float) -> int:
	var number: int = 0
	while number < _points.size() and _points[number].arrival <= tick:
		number += 1
	return number


# Forgets the points before the last one reached, and returns how many.
func pass_by(tick: float) -> int:
	var passed: int = int(max(next(tick) - 1, 0))
	for _n in range(passed):
		_points.pop_front()
	return passed


# The place at a moment.
func at(tick: float) -> Vector3:
	var number: int = next(tick)
	var before: Vector3 = _points[max(number - 1, 0)].at
	if number == 0 or number == _points.size():
		return before
	var to: TrackPoint = _points[number]
	if to.jump or tick <= to.departure:
		return before
	var part: float = (tick - to.departure) / (to.arrival - to.departure)
	return before + (to.at - before) * part


# The kind of the link that it is on at a moment; -1 for none.
func link_at(tick: float) -> int:
	var number: int = next(tick)
	return _points[number].link if number < _points.size() else -1


# The distance left at a moment, without jumps.
func left(tick: float) -> float:
	var sum: float = 0.0
	var from: Vector3 = at(tick)
	for number in range(next(tick), _points.size()):
		var to: TrackPoint = _points[number]
		if not to.jump:
			sum += from.distance_to(to.at)
		from = to.at
	return sum


# The speed on the way to a point, in units per tick; 0 if it takes no time.
func speed_to(number: int) -> float:
	# The first point has no way to it, and infinite times.
	if number == 0 or _points[number].jump:
		return 0.0
	var to: TrackPoint = _points[number]
	var ticks: float = to.arrival - to.departure
	return _points[number - 1].at.distance_to(to.at) / ticks if ticks > 0.0 else 0.0
