# A client's copy of a server's world. Pass it messages, advance it in every frame, show its
# agents, and send what it requests.
#
# Made for connections that keep the order, such as a WebSocket: a packet older than the newest is
# dropped, and a gap asks for the whole view. The crate nav_client also sorts late packets in and
# asks for single ones, as datagrams need. A new connection counts packets from 1 on, so it needs a
# new client.
#
# Messages come parsed, because Godot 3 and 4 parse JSON by different calls. Numbers of JSON may be
# floats in Godot, so ids have to be below 2^53, as they are unless the game gives others.

const Follower = preload("follower.gd")
const TickClock = preload("tick_clock.gd")

const VERSION = 2

# The fields of each update beside its id, each with a value of its type. Numbers are from 0 on.
const FIELDS = {
	"appear": {"kind": "", "at": []},
	"path":
	{
		"tick": 0.0,
		"speed": 0.0,
		"reach": 0.0,
		"chases": null,
		"nav_path": [],
		"arrivals": [],
		"jumps": [],
		"links": []
	},
	"correct": {"tick": 0.0, "at": [], "speed": 0.0, "chases": null, "jump": false},
	"place": {"at": []},
	"vanish": {},
}


# An agent in view.
class Agent:
	var id: int
	var is_player: bool
	# A Follower. Godot 3 does not find the type from inside of a class.
	var follower
	# Ticks in which it entered and left the view. The shown tick lags behind both.
	var since: float
	var until: float = INF
	# The packet that last said that it is in view.
	var presence: float = 0.0

	func _init(number: int, tick: float, at: Vector3):
		id = number
		since = tick
		follower = Follower.new(at)


# In world units and seconds. The defaults are those of nav_client, where each says why.
var settings: Dictionary = {
	# How far the shown world lags behind the server.
	"lag": 0.1,
	# Distance at which a point counts as touched; at most as many cells.
	"touch": 0.9,
	# Distance to its target within which a chaser goes straight to it.
	"steer_within": 4.0,
	# Greatest distance from the path while it does, in cells.
	"leash": 0.25,
	# Greatest factor on the usual speed when catching up.
	"catch_up": 1.5,
	# Distance from the path above which an agent jumps.
	"snap": 3.0,
	# How far ahead on its path an agent aims.
	"look_ahead": 0.15,
	# How long to wait for a missing packet before the view is asked for.
	"reorder": 0.15,
	# How long to wait for an answer before asking again.
	"retry": 0.4,
}

# The scale of the server's world: `tick_seconds`, `cell_size`, and `up`, the number of the
# coordinate that is the height. Empty before the first packet.
var ground: Dictionary = {}

var _agents: Dictionary = {}
# Their ids, ascending: agents advance in this order, and a chaser steers to where its target is by
# then.
var _order: Array = []
var _clock: TickClock = null
var _newest: float = 0.0
# When to ask for the whole view; INF while nothing is missing.
var _resync_at: float = INF


# Takes a message that arrives `now`, in seconds of a clock that never goes back. Returns false if
# it is no packet of the protocol: another message of the game, another version, or nonsense.
func receive(message, now: float) -> bool:
	if not _is_packet(message):
		return false
	var sequence: float = message["sequence"]
	var tick: float = message["tick"]
	if sequence <= _newest:
		return true
	var starts: bool = false
	for update in message["updates"]:
		if update.has("start"):
			starts = true
			_start(update["start"], tick, now)
	if not starts and (_clock == null or sequence - _newest > 1):
		# A server that left packets out may send a start by itself, so wait a little.
		_resync_at = min(_resync_at, now + settings["reorder"])
	if _clock == null:
		return true
	_newest = sequence
	_clock.receive(tick, now)
	for update in message["updates"]:
		_take(update, sequence, tick)
	if starts:
		# The packet of a start lists the whole view.
		for id in _order:
			if _agents[id].presence < sequence:
				_leave(_agents[id], tick)
	return true


# Advances to the moment of a frame.
func advance(now: float) -> void:
	if _clock == null:
		return
	var seconds: float = _clock.advance(now, settings["lag"])
	var tick: float = _clock.shown
	for id in _order.duplicate():
		if _agents[id].until <= tick:
			_order.erase(id)
			_agents.erase(id)
	for id in _order:
		var agent: Agent = _agents[id]
		if agent.is_player:
			agent.follower.show_player(tick, ground)
		else:
			agent.follower.advance(tick, seconds, _target_of(agent), ground, settings)


# The agents in view at the tick shown, by id.
func agents() -> Array:
	var shown: Array = []
	for id in _order:
		if _clock.is_shown and _agents[id].since <= _clock.shown:
			shown.append(_agents[id])
	return shown


# What to send to the server, to be written as JSON; null for nothing. Ask in every frame.
func request(now: float):
	if now < _resync_at:
		return null
	_resync_at = now + settings["retry"]
	return {"version": VERSION, "ask": "resync"}


func _start(start: Dictionary, tick: float, now: float) -> void:
	_resync_at = INF
	ground = {
		"tick_seconds": start["tick_micros"] / 1000000.0,
		"cell_size": start["cell_size"],
		"up": 1 if start["up"] == "y" else 2,
	}
	if _clock == null or not _clock.fits(ground["tick_seconds"], tick, now):
		_clock = TickClock.new(ground["tick_seconds"])


func _take(update: Dictionary, sequence: float, tick: float) -> void:
	var kind: String = update.keys()[0]
	if kind == "start":
		return
	var fields: Dictionary = update[kind]
	var id: int = int(fields["id"])
	if kind == "appear":
		_appear(id, fields, sequence, tick)
		return
	if not _agents.has(id):
		return
	var agent: Agent = _agents[id]
	match kind:
		"path":
			agent.follower.follow(fields, ground)
		"correct":
			agent.follower.correct(fields, ground)
		"place":
			agent.follower.place(tick, Follower.to_vector(fields["at"]), settings["lag"], ground)
		"vanish":
			_leave(agent, tick)


func _appear(id: int, appear: Dictionary, sequence: float, tick: float) -> void:
	var at: Vector3 = Follower.to_vector(appear["at"])
	# The old track of an agent that left would draw it flying in from there.
	if not _agents.has(id) or _agents[id].until < INF:
		_agents[id] = Agent.new(id, tick, at)
		if not _order.has(id):
			_order.append(id)
			_order.sort()
	var agent: Agent = _agents[id]
	agent.is_player = appear["kind"] == "player"
	agent.presence = sequence
	agent.follower.stand(tick, at, false, ground)


func _leave(agent: Agent, tick: float) -> void:
	agent.until = min(agent.until, tick)


func _target_of(agent: Agent):
	var id: int = agent.follower.chases
	if not _agents.has(id) or _agents[id].until < INF:
		return null
	return _agents[id].follower.position


# Checks a message as far as this client relies on it.
static func _is_packet(message) -> bool:
	if not message is Dictionary or not _is_whole(message.get("version")):
		return false
	if message["version"] != VERSION or not message.get("updates") is Array:
		return false
	if not _is_whole(message.get("sequence")) or not _is_whole(message.get("tick")):
		return false
	for update in message["updates"]:
		if not _is_update(update):
			return false
	return true


static func _is_update(update) -> bool:
	if not update is Dictionary or update.size() != 1:
		return false
	var kind: String = str(update.keys()[0])
	var fields = update[update.keys()[0]]
	if not fields is Dictionary:
		return false
	if kind == "start":
		return (
			_is_length(fields.get("tick_micros"))
			and _is_length(fields.get("cell_size"))
			and fields["tick_micros"] > 0.0
			and fields["cell_size"] > 0.0
			and (str(fields.get("up")) == "y" or str(fields.get("up")) == "z")
		)
	if not FIELDS.has(kind) or not _is_whole(fields.get("id")):
		return false
	for name in FIELDS[kind]:
		if not fields.has(name) or not _is_like(fields[name], FIELDS[kind][name]):
			return false
	if fields.has("at") and not _is_point(fields["at"]):
		return false
	if kind == "appear" and fields["kind"] != "player" and fields["kind"] != "chaser":
		return false
	return kind != "path" or _is_path(fields)


static func _is_path(path: Dictionary) -> bool:
	var points: int = path["nav_path"].size()
	if points == 0 or points != path["arrivals"].size():
		return false
	var before: float = 0.0
	for number in range(points):
		var arrival = path["arrivals"][number]
		if not _is_point(path["nav_path"][number]) or not _is_whole(arrival):
			return false
		if arrival < before or (number == 0 and arrival > 0.0):
			return false
		before = arrival
	for jump in path["jumps"]:
		if not _is_whole(jump) or jump >= points:
			return false
	var end: float = 0.0
	for link in path["links"]:
		if not link is Dictionary or not _is_whole(link.get("point")) or not _is_whole(link.get("kind")):
			return false
		if link["point"] <= end or link["point"] >= points or link["kind"] > 15.0:
			return false
		end = link["point"]
	return true


# Whether a value has the type of another. A null stands for an id or none.
static func _is_like(value, other) -> bool:
	if other == null:
		return value == null or _is_whole(value)
	if other is float:
		return _is_length(value)
	return typeof(value) == typeof(other)


static func _is_point(at) -> bool:
	if not at is Array or at.size() != 3:
		return false
	for number in at:
		if not _is_number(number):
			return false
	return true


static func _is_whole(number) -> bool:
	return _is_length(number) and number == floor(number)


static func _is_length(number) -> bool:
	return _is_number(number) and number >= 0


# Versions of Godot differ in whether JSON has whole numbers.
static func _is_number(number) -> bool:
	return number is int or (number is float and not is_inf(number) and not is_nan(number))
