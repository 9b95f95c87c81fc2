//! The ways by which a body makes room for a body that asks it.

use crate::systems::{
    crowd::{Asker, Neighbour, Pose, Relation},
    guidance::{Ranked, heading},
};
use nav_grid::{Area, Cell, Direction, Directions, Footprint};

/// A request to make room, as the body that is asked sees it.
pub(super) struct Request<'a> {
    pub(super) asker: &'a Asker,
    pub(super) body: &'a Neighbour,
    pub(super) relation: Relation,
    /// The direction of the asker's path over the body.
    pub(super) along: Directions,
    /// The moves onto the asker's path, if the body is to leave that.
    pub(super) onto: Directions,
    /// Whether the body or the asker covers several cells.
    pub(super) is_large: bool,
}

impl Request<'_> {
    /// Returns the moves by which the body makes room, of the steps that the ground allows.
    ///
    /// A body within reach of its target prefers cells from which the target `stays` within reach.
    /// Another one goes its `own` way, as its guide ranks it. Both rather go along with the asker
    /// than out of its way.
    pub(super) fn ways(
        &self,
        steps: Directions,
        target: Cell,
        own: impl FnOnce() -> Ranked,
        stays: impl Fn(Cell) -> bool,
    ) -> Ranked {
        let (at, is_under) = (self.body.at, self.asker.is_under);
        let along = self.along.intersection(steps);
        let (mut ranked, leaves) = match self.relation {
            Relation::Beside | Relation::Outer | Relation::Settled => {
                let near: Directions = steps
                    .into_iter()
                    .filter(|way| at.step(*way).is_some_and(&stays))
                    .collect();
                let leaves = self.relation == Relation::Settled;
                (Ranked::ways(along.intersection(near), near, None), leaves)
            }
            Relation::Mover | Relation::Companion | Relation::Waiter | Relation::Stayer => {
                let mut own = own();
                own.tiers[0].0 |= along.0;
                // Going further away helps no companion, unless both wedge each other before a
                // door, or it may not go where the asker may, and so knows no way.
                let is_companion = self.body.target == self.asker.target;
                let is_lost = self.body.pose == Pose::Lost && self.body.rules != self.asker.rules;
                (own, !is_companion || is_lost || self.is_large)
            }
        };
        let [best, sides, _] = ranked.tiers;
        let others = if leaves || is_under { steps } else { along };
        let (sides, others) = (sides.0 & !best.0, others.0 & !best.0 & !sides.0);
        let tiers = [best, Directions(sides), Directions(others)];
        ranked.tiers = tiers.map(|tier| Directions(tier.0 & !self.onto.0));
        let ahead = along.into_iter().next().or_else(|| heading(at, target));
        ranked.toward = ahead.unwrap_or(Direction::North);
        ranked
    }
}

/// Returns the direction of the path of a body where the path leads over an area, if it does and
/// goes on.
pub(super) fn along(
    path: impl Iterator<Item = Cell>,
    footprint: Footprint,
    area: Area,
) -> Directions {
    let mut ahead = path.skip_while(|&cell| !footprint.area(cell).meets(area));
    let here = ahead.next().zip(ahead.next());
    let way = here.and_then(|(here, next)| here.direction_to(next));
    way.map_or(Directions::NONE, Directions::from)
}

/// Returns the moves of another body onto the path of a body.
pub(super) fn onto<P: Iterator<Item = Cell>>(
    path: impl Fn() -> P,
    footprint: Footprint,
    other: &Neighbour,
) -> Directions {
    let leading = Directions::ALL.into_iter().filter(|&way| {
        let to = other.at.step(way);
        let area = to.map(|to| other.body.footprint.area(to));
        area.is_some_and(|area| path().any(|cell| footprint.area(cell).meets(area)))
    });
    leading.collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::drawing::{Drawing, MAP, agent},
        *,
    };
    use crate::{AgentId, Body};
    use Direction::{East, North, South, West};
    use Relation::{Beside, Companion, Mover, Outer, Settled, Waiter};
    use nav_grid::Rules;

    /// A body `B` that is asked, and its target `T`.
    struct Case {
        relation: Relation,
        along: Directions,
        onto: Directions,
        is_under: bool,
        is_large: bool,
        /// The steps of its guide.
        own: [Directions; 2],
    }

    impl Case {
        fn new(relation: Relation) -> Self {
            Self {
                relation,
                along: Directions::NONE,
                onto: Directions::NONE,
                is_under: false,
                is_large: false,
                own: [Directions::NONE; 2],
            }
        }

        /// Returns the ranked moves for a drawing.
        fn ranked(&self, rows: &[&str]) -> Ranked {
            let drawing = Drawing::new(rows);
            let (at, target) = (drawing.find('B'), drawing.find('T'));
            let asker = Asker {
                agent: agent('A'),
                id: AgentId(1),
                target: MAP,
                rules: Rules::default(),
                stop_distance: 1,
                waits: 3,
                failed_pushes: 0,
                is_under: self.is_under,
                passes: false,
            };
            let is_elsewhere = matches!(self.relation, Waiter | Settled);
            let body = Neighbour {
                id: AgentId(9),
                target: if is_elsewhere { agent('T') } else { MAP },
                at,
                body: Body::default(),
                rules: Rules::default(),
                stop_distance: 1,
                pose: Pose::Moving,
                waits: 0,
                failed_pushes: 0,
                may_step: true,
            };
            let request = Request {
                asker: &asker,
                body: &body,
                relation: self.relation,
                along: self.along,
                onto: self.onto,
                is_large: self.is_large,
            };
            let steps = drawing.grid.steps(at, Rules::default());
            let own = || Ranked::ways(self.own[0], self.own[1], Some(target));
            request.ways(steps, target, own, |to| to.chebyshev(target) == 1)
        }

        /// Draws the tiers of the moves around the body.
        fn ways(&self, rows: &[&str]) -> Vec<String> {
            let ranked = self.ranked(rows);
            let mut picture: Vec<Vec<char>> = vec![vec!['.'; rows[0].len()]; rows.len()];
            let at = Drawing::new(rows).find('B');
            picture[usize::from(at.y)][usize::from(at.x)] = 'B';
            for (tier, sign) in ranked.tiers.into_iter().zip("123".chars()) {
                for to in tier.into_iter().filter_map(|way| at.step(way)) {
                    let cell = &mut picture[usize::from(to.y)][usize::from(to.x)];
                    assert_eq!(
                        std::mem::replace(cell, sign),
                        '.',
                        "each move once: {rows:?}"
                    );
                }
            }
            picture
                .into_iter()
                .map(|row| row.into_iter().collect())
                .collect()
        }
    }

    #[test]
    fn body_beside_its_target_stays_there() {
        let rows = ["....", ".BT.", "...."];
        // The step onto the target itself is left out later.
        for relation in [Beside, Outer] {
            assert_eq!(Case::new(relation).ways(&rows), [".22.", ".B..", ".22."]);
        }
        // Arrived elsewhere, it may leave.
        assert_eq!(Case::new(Settled).ways(&rows), ["322.", "3B3.", "322."]);
        // So may any body for an asker under its target.
        let mut under = Case::new(Beside);
        under.is_under = true;
        assert_eq!(under.ways(&rows), ["322.", "3B3.", "322."]);
    }

    #[test]
    fn body_beside_its_target_goes_along() {
        let rows = ["....", ".BT.", "...."];
        let mut case = Case::new(Beside);
        case.along = South.into();
        assert_eq!(case.ways(&rows), [".22.", ".B..", ".12."]);
        assert_eq!(case.ranked(&rows).toward, South);
        // Out of reach only where it cannot stay.
        case.along = West.into();
        assert_eq!(case.ways(&rows), [".22.", "3B..", ".22."]);
    }

    #[test]
    fn body_on_its_way_goes_on() {
        let rows = [".....", ".B..T", "....."];
        let mut case = Case::new(Companion);
        case.own = [East.into(), [North, South].into_iter().collect()];
        assert_eq!(case.ways(&rows), [".2...", ".B1..", ".2..."]);
        assert_eq!(case.ranked(&rows).toward, East);
        // Its link leads on as well.
        assert_eq!(case.ranked(&rows).link, Some(Cell::new(4, 1)));
        // The way of the asker is as good as its own.
        case.along = South.into();
        assert_eq!(case.ways(&rows), [".2...", ".B1..", ".1..."]);
        assert_eq!(case.ranked(&rows).toward, South);
    }

    #[test]
    fn ways_back_from_the_target() {
        let rows = [".....", ".B..T", "....."];
        let (on, all) = ([".....", ".B1..", "....."], ["333..", "3B1..", "333.."]);
        for (relation, is_under, is_large, expected) in [
            // Of no use to a companion.
            (Companion, false, false, on),
            (Mover, false, false, on),
            (Companion, true, false, all),
            (Companion, false, true, all),
            (Waiter, false, false, all),
        ] {
            let mut case = Case::new(relation);
            (case.is_under, case.is_large) = (is_under, is_large);
            case.own[0] = East.into();
            assert_eq!(case.ways(&rows), expected, "{relation:?}");
        }
    }

    #[test]
    fn off_the_path_of_the_asker() {
        let rows = ["....", ".BT.", "...."];
        let mut case = Case::new(Settled);
        case.onto = [North, West].into_iter().collect();
        assert_eq!(case.ways(&rows), ["3.2.", ".B3.", "322."]);
    }

    #[test]
    fn ground_bounds_the_ways() {
        let rows = ["#####", "#B.T#", "#####"];
        let mut case = Case::new(Waiter);
        case.along = South.into();
        assert_eq!(case.ways(&rows), [".....", ".B3..", "....."]);
        // The path of the asker leads into a wall, so the target counts.
        assert_eq!(case.ranked(&rows).toward, East);
        assert_eq!(Case::new(Settled).ways(&rows), [".....", ".B2..", "....."]);
    }

    #[test]
    fn direction_of_the_path_over_a_body() {
        let [one, two] = [1, 2].map(|side| Footprint::new(side).expect("a side"));
        let path = [(1, 0), (2, 0), (3, 1), (3, 2)].map(Cell::from);
        let along = |own, body: Footprint, at: (u16, u16)| {
            along(path.into_iter(), own, body.area(Cell::from(at)))
        };
        assert_eq!(along(one, one, (1, 0)), East.into());
        assert_eq!(along(one, one, (2, 0)), Direction::SouthEast.into());
        // The path ends there, or leads elsewhere.
        assert_eq!(along(one, one, (3, 2)), Directions::NONE);
        assert_eq!(along(one, one, (0, 3)), Directions::NONE);
        // Where it first meets a large body, or a large asker a small one.
        assert_eq!(along(one, two, (2, 0)), Direction::SouthEast.into());
        assert_eq!(along(two, one, (2, 1)), East.into());
    }
}
