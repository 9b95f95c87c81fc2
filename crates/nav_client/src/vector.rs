//! Vectors of the world.

/// A place or a displacement.
pub(crate) type Vector = [f64; 3];

pub(crate) fn of(at: [f32; 3]) -> Vector {
    at.map(f64::from)
}

pub(crate) fn minus(one: Vector, other: Vector) -> Vector {
    std::array::from_fn(|axis| one[axis] - other[axis])
}

pub(crate) fn length(way: Vector) -> f64 {
    way.iter().map(|part| part * part).sum::<f64>().sqrt()
}

pub(crate) fn distance(one: Vector, other: Vector) -> f64 {
    length(minus(one, other))
}

/// Returns the distance along the axis on which it is greatest.
pub(crate) fn widest(one: Vector, other: Vector) -> f64 {
    minus(one, other)
        .iter()
        .fold(0.0, |most, part| part.abs().max(most))
}

/// Returns the place a fraction of the way from one to another.
pub(crate) fn between(from: Vector, to: Vector, part: f64) -> Vector {
    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * part)
}

/// Returns the place `step` from one toward another, at most the other.
pub(crate) fn toward(from: Vector, to: Vector, step: f64) -> Vector {
    let whole = distance(from, to);
    if whole <= step || whole == 0.0 {
        to
    } else {
        between(from, to, step / whole)
    }
}
