# Estimates the server's tick from the fastest packet of the last seconds, and the time since.

# Seconds for which the fastest packet counts, and the window before it too. A guess: long enough
# to have a fast packet, short enough to follow the drift of clocks.
const WINDOW = 5.0

# Share by which the shown time runs faster or slower to approach the server's. A guess.
const SLEW = 0.1

# Error in seconds above which the shown tick jumps instead. A guess.
const LEAP = 1.0

# The tick shown, with its fraction, once something is shown.
var shown: float = 0.0
var is_shown: bool = false

var _tick_seconds: float
# Ticks by which the server is ahead of local time, by the fastest packet since `_since`, and by
# that of the window before.
var _ahead: float = -INF
var _ahead_before: float = -INF
var _since: float = -INF
var _shown_at: float = 0.0


func _init(tick_seconds: float):
	_tick_seconds = tick_seconds


func receive(tick: float, now: float) -> void:
	if now > _since + WINDOW:
		_ahead_before = _ahead
		_ahead = -INF
		_since = now
	_ahead = max(_ahead, tick - now / _tick_seconds)


# Whether ticks are as long, and a packet of this tick is plausible now.
func fits(tick_seconds: float, tick: float, now: float) -> bool:
	var expected: float = now / _tick_seconds + max(_ahead, _ahead_before)
	var off: float = (tick - expected) * _tick_seconds
	return _tick_seconds == tick_seconds and abs(off) < WINDOW


# Advances to `now`, shown `lag` seconds late. Returns the seconds since the call before.
func advance(now: float, lag: float) -> float:
	var goal: float = (now - lag) / _tick_seconds + max(_ahead, _ahead_before)
	var seconds: float = max(now - _shown_at, 0.0) if is_shown else 0.0
	var passed: float = seconds / _tick_seconds
	var expected: float = (shown if is_shown else goal) + passed
	var off: float = goal - expected
	var most: float = SLEW * passed
	if abs(off) * _tick_seconds > LEAP:
		shown = goal
	else:
		shown = expected + min(max(off, -most), most)
	is_shown = true
	_shown_at = now
	return seconds
