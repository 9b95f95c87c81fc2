# An agent as a client shows it: it walks along the points that the server sent, in time.
#
# The rules and numbers are those of the crate nav_client. Lengths are in units of the server's
# world, and positions in its coordinates.

const Track = preload("track.gd")

# A path that is longer than the straight way by more than this leads around a wall. A guess.
const DETOUR_FACTOR = 1.5

# Moves below this part of the coordinates count as none: places have 32 bits here, the last of
# which is worth half as much, and rounding must not look like walking.
const STILL = 0.00000024

var position: Vector3
# Direction of the last move, level and of length 1; zeros before the first.
var facing: Vector3 = Vector3()
# What it does: "standing", "walking", "steering" straight to its target, or "onlink".
# On a link, such as a ladder, it is on the line between both ends.
var state: String = "standing"
# The id of its target; -1 for none.
var chases: int = -1
# The kind of the link that it is on; -1 for none.
var link: int = -1

var _track: Track
# Number of the first point that is not touched yet.
var _next: int = 1
# Speed on straight steps, in units per second.
var _speed: float = 0.0
var _reach: float = 0.0
# Whether the server's last word was a path, and not a stand.
var _has_way: bool = false
# A new agent is put on its track at once, wherever that is.
var _is_new: bool = true


func _init(at: Vector3):
	position = at
	_track = Track.new(at)


# Takes a path, which replaces the plan from its tick on. `ground` is as in `chase_client.gd`.
func follow(path: Dictionary, ground: Dictionary) -> void:
	_speed = path["speed"]
	_reach = path["reach"]
	_set_target(path)
	_has_way = true
	_cut(path["tick"], ground)
	for number in range(path["nav_path"].size()):
		var at: Vector3 = to_vector(path["nav_path"][number])
		# It walks to the first point no longer than needed, and never stops after it.
		var ticks: float = _ticks_to(at, ground) if number == 0 else INF
		var arrival: float = path["tick"] + path["arrivals"][number]
		var by_link: int = _link_to(path["links"], number)
		_track.push(at, arrival, ticks, _has(path["jumps"], number), by_link)


# Takes a correction: it stays there from its tick on.
func correct(correction: Dictionary, ground: Dictionary) -> void:
	_set_target(correction)
	_speed = correction["speed"]
	stand(correction["tick"], to_vector(correction["at"]), correction["jump"], ground)


func stand(tick: float, at: Vector3, jump: bool, ground: Dictionary) -> void:
	_has_way = false
	_cut(tick, ground)
	_track.push(at, tick, _ticks_to(at, ground), jump)


# Takes the place of a player at a tick. The player is shown on the way there for at most the lag: a
# place that arrives in time then changes nothing that is already shown.
func place(tick: float, at: Vector3, lag: float, ground: Dictionary) -> void:
	var ticks: float = lag / ground["tick_seconds"]
	_track.cut(tick, ticks)
	_track.push(at, tick, ticks, false)


# Moves a player exactly along its track. Players have no speed to keep.
func show_player(tick: float, ground: Dictionary) -> void:
	_track.pass_by(tick)
	var before: Vector3 = position
	position = _track.at(tick)
	_moved(before, "walking")
	_face(position - before, ground)


# Advances a chaser by `seconds`, to where it is at a tick. `target` is the current place of its
# target, or null if that is not in view.
func advance(tick: float, seconds: float, target, ground: Dictionary, settings: Dictionary) -> void:
	# In the tick of a step, the chaser is shown halfway between the two cells.
	var moment: float = tick - 0.5 * _step_ticks(ground)
	_next = int(max(_next - _track.pass_by(moment), 1))
	var on_track: Vector3 = _track.at(moment)
	var before: Vector3 = position
	var is_off: bool = before.distance_to(on_track) > settings["snap"]
	if _is_new or is_off:
		_is_new = false
		position = on_track
		_next = int(max(_track.next(moment), 1))
	_touch(moment, ground, settings)
	link = _track.link_at(moment)
	if target != null and link < 0 and _is_at_end(moment, target, ground, settings):
		_steer(on_track, target, seconds, ground, settings)
	else:
		_walk(moment, seconds, ground, settings)
	if link >= 0:
		state = "onlink"
	if not is_off:
		_face(position - before, ground)


func _set_target(update: Dictionary) -> void:
	chases = -1 if update["chases"] == null else int(update["chases"])


func _cut(tick: float, ground: Dictionary) -> void:
	_track.cut(tick, _step_ticks(ground))
	_next = int(min(_next, _track.count()))


# Ticks of a straight step; 0 while the speed is unknown.
func _step_ticks(ground: Dictionary) -> float:
	return ground["cell_size"] / _speed / ground["tick_seconds"] if _speed > 0.0 else 0.0


# Ticks from the end of the track to a point; 0 while the speed is unknown.
func _ticks_to(at: Vector3, ground: Dictionary) -> float:
	var away: float = _track.last().distance_to(at)
	return away / _speed / ground["tick_seconds"] if _speed > 0.0 else 0.0


func _touch(tick: float, ground: Dictionary, settings: Dictionary) -> void:
	var touch: float = min(settings["touch"], settings["touch"] * ground["cell_size"])
	while _next < _track.count():
		var point: Track.TrackPoint = _track.point(_next)
		if point.jump and tick >= point.arrival:
			position = point.at
		elif point.jump or position.distance_to(point.at) > touch:
			return
		_next += 1


func _walk(tick: float, seconds: float, ground: Dictionary, settings: Dictionary) -> void:
	# A jump is waited for on the point before it.
	var goal: int = _next
	if goal >= _track.count() or _track.point(goal).jump:
		goal -= 1
	var tick_seconds: float = ground["tick_seconds"]
	var ahead: float = settings["look_ahead"] / tick_seconds
	var until: float = min(tick + ahead, _track.point(goal).arrival)
	var aim: Vector3 = _track.point(goal).at
	var left: float = 0.0
	if until > tick:
		aim = _track.at(until)
		left = (until - tick) * tick_seconds
	var pace: float = _track.speed_to(goal) / tick_seconds
	var fastest: float = max(settings["catch_up"], 1.0) * max(_speed, pace)
	var away: float = position.distance_to(aim)
	var step: float = away / left * seconds if left > 0.0 else away
	# The speed is unknown if nothing but the place was sent.
	if fastest > 0.0:
		step = min(step, fastest * seconds)
	var before: Vector3 = position
	position = _toward(before, aim, step)
	_moved(before, "walking")


# Whether the target, and the end of the path, are near enough to go straight.
func _is_at_end(tick: float, target: Vector3, ground: Dictionary, settings: Dictionary) -> bool:
	var up: int = ground["up"]
	var cell_size: float = ground["cell_size"]
	var away: float = position.distance_to(target)
	return (
		_has_way
		and away <= settings["steer_within"]
		and abs(target[up] - position[up]) <= cell_size
		and _track.left(tick) <= away * DETOUR_FACTOR + cell_size
		and _track.last().distance_to(target) <= _reach * DETOUR_FACTOR + 2.0 * cell_size
	)


# Goes straight to the target until that is within reach, on a leash around the path.
func _steer(
	on_track: Vector3, target: Vector3, seconds: float, ground: Dictionary, settings: Dictionary
) -> void:
	var before: Vector3 = position
	var wanted: Vector3 = before
	var way: Vector3 = (target - before).abs()
	if max(way.x, max(way.y, way.z)) > _reach:
		var left: float = max(before.distance_to(target) - _reach, 0.0)
		wanted = _toward(before, target, min(_speed * seconds, left))
	var held: Vector3 = _toward(on_track, wanted, settings["leash"] * ground["cell_size"])
	position = _toward(before, held, max(settings["catch_up"], 1.0) * _speed * seconds)
	_moved(before, "steering")
	if state == "standing":
		_face(target - before, ground)


func _moved(before: Vector3, moving: String) -> void:
	var still: float = STILL * max(before.length(), position.length())
	state = moving if before.distance_to(position) > still else "standing"


func _face(way: Vector3, ground: Dictionary) -> void:
	way[ground["up"]] = 0.0
	var length: float = way.length()
	if length > 0.000001:
		facing = way / length


# The kind of the link of a list that leads to a point; -1 for none.
static func _link_to(links: Array, number: int) -> int:
	for item in links:
		if int(item["point"]) == number:
			return int(item["kind"])
	return -1


# Whether a list of JSON has a number. Array.has may tell 1 from 1.0.
static func _has(list: Array, number: int) -> bool:
	for item in list:
		if int(item) == number:
			return true
	return false


# Reads `[x, y, z]`.
static func to_vector(at: Array) -> Vector3:
	return Vector3(at[0], at[1], at[2])


# The place `step` from one toward another, at most the other.
static func _toward(from: Vector3, to: Vector3, step: float) -> Vector3:
	var whole: float = from.distance_to(to)
	return to if whole <= step or whole == 0.0 else from + (to - from) * (step / whole)
