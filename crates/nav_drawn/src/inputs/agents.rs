//! Inputs about agents: they are spawned, despawned and moved, and lose components.

use super::{Inputs, View};
use crate::input::{Input, Part, Place, Role, Who};
use nav::{Body, CellPosition, Chaser, NavClock, NavMap, Paused, Period};
use nav_grid::{Footprint, Rules};

impl Inputs {
    pub(super) fn despawn(&mut self, view: &mut View) -> Option<Input> {
        let who = self.anybody(view);
        // At least one target must be left.
        let stays = matches!(who, Who::Target(_)) && self.draw.percent(70);
        (!stays).then_some(Input::Despawn(who))
    }

    pub(super) fn spawn(&mut self, view: &mut View) -> Input {
        let (cell, footprint) = (self.cell(view), self.footprint(view));
        let kind = self.draw.number(0, 9);
        let mut chaser = view.scene.other_tuning(&mut self.draw);
        chaser.rules.footprint = footprint;
        let target = self.any_target(view);
        let body = self.draw.percent(60).then(|| Body::solid(footprint));
        let role = match kind {
            0 => Role::Target,
            1..=7 => Role::Npc(chaser.into(), target),
            _ => Role::Idle,
        };
        Input::Spawn(cell, role, body)
    }

    pub(super) fn walk(&mut self, view: &View) -> Option<Input> {
        let (who, agent) = self.one_target(view)?;
        let from = agent.get::<CellPosition>()?.cell;
        let body = agent.get::<Body>();
        let footprint = body.map_or(Footprint::ONE, |body| body.footprint);
        let rules = Rules::default().with_footprint(footprint);
        let world = view.stage.world.app.world();
        let map = world.get::<NavMap>(view.stage.world.map)?;
        let ways: Vec<_> = map.grid().steps(from, rules).into_iter().collect();
        if ways.is_empty() {
            return None;
        }
        let to = from.step(ways[self.draw.below(ways.len())])?;
        Some(Input::Give(who, Part::Cell(to)))
    }

    pub(super) fn teleport(&mut self, view: &View) -> Option<Input> {
        let to = self.cell(view);
        let (who, _) = self.one_of_all(view)?;
        Some(Input::Give(who, Part::Cell(to)))
    }

    pub(super) fn world_place(&mut self, view: &View) -> Option<Input> {
        let size = view.scene.grid.size();
        let x = self.draw.number(0, size.width);
        let y = self.draw.number(0, size.height);
        let (who, _) = self.one_target(view)?;
        let place = match self.draw.number(0, 5) {
            0 => [f64::NAN, 0.0, f64::INFINITY],
            1 => [-1e300, 1e300, 0.0],
            2 => return Some(Input::Take(who, Part::World([0.0; 3]))),
            _ => [f64::from(x) + 0.3, f64::from(y) + 0.6, 0.0],
        };
        Some(Input::Give(who, Part::World(place)))
    }

    pub(super) fn coordinates(&mut self, view: &View) -> Option<Input> {
        let cell = self.cell(view);
        let (who, _) = self.one_of_all(view)?;
        let part = Part::World([cell.x.into(), 0.0, cell.y.into()]);
        Some(self.give_or_take(who, part, 60))
    }

    pub(super) fn change_map(&mut self, view: &View) -> Option<Input> {
        let (who, _) = self.one_of_all(view)?;
        Some(match self.draw.number(0, 5) {
            0 => Input::Take(who, Part::OnMap(Place::Map)),
            1 => Input::Give(who, Part::OnMap(Place::Away)),
            _ => Input::Give(who, Part::OnMap(Place::Map)),
        })
    }

    pub(super) fn switch(&mut self, view: &mut View) -> Option<Input> {
        let target = if self.draw.percent(70) {
            self.any_target(view)
        } else {
            self.anybody(view)
        };
        let who = self.npc(view)?;
        Some(Input::Give(who, Part::Chasing(target)))
    }

    pub(super) fn call_off(&mut self, view: &View) -> Option<Input> {
        let who = self.npc(view)?;
        Some(Input::Take(who, Part::Chasing(who)))
    }

    pub(super) fn body(&mut self, view: &View) -> Option<Input> {
        let footprint = self.footprint(view);
        let (who, _) = self.one_of_all(view)?;
        Some(match self.draw.number(0, 3) {
            0 => Input::Take(who, Part::Body(Body::default())),
            1 => Input::Give(who, Part::Body(Body::soft(footprint))),
            _ => Input::Give(who, Part::Body(Body::solid(footprint))),
        })
    }

    pub(super) fn strip(&mut self, view: &View) -> Option<Input> {
        let (who, _) = self.one_of_all(view)?;
        // Not its cell: without one it is no agent, and yet counts among the chasers of its target.
        let part = match self.draw.number(0, 5) {
            0 => Part::Chaser(Chaser::default().into()),
            1 => Part::Cursor,
            2 => Part::NavTimer,
            3 => Part::MoveTimer(nav::MoveTimer::default()),
            4 => Part::Anchor,
            _ => Part::OnMap(Place::Map),
        };
        Some(Input::Take(who, part))
    }

    pub(super) fn pause(&mut self, view: &View) -> Option<Input> {
        let (who, _) = self.one_of_all(view)?;
        let now = now(view);
        let paused = match self.draw.number(0, 3) {
            0 => Paused::default(),
            1 => {
                let until = now.after(Period::from_millis(self.draw.number(0, 3000).into()));
                Paused {
                    until: Some(until),
                    ..Paused::default()
                }
            }
            _ => return Some(Input::Take(who, Part::Paused(Paused::default()))),
        };
        Some(Input::Give(who, Part::Paused(paused)))
    }

    pub(super) fn disable(&mut self, view: &View) -> Option<Input> {
        let (who, _) = self.one_of_all(view)?;
        let part = Part::Disabled;
        Some(if self.draw.percent(60) {
            Input::Take(who, part)
        } else {
            Input::Give(who, part)
        })
    }

    /// Inserts a component with a probability of `percent` in a hundred, and removes it otherwise.
    pub(super) fn give_or_take(&mut self, who: Who, part: Part, percent: u32) -> Input {
        if self.draw.percent(percent) {
            Input::Give(who, part)
        } else {
            Input::Take(who, part)
        }
    }
}

/// Returns the time of the world.
pub(super) fn now(view: &View) -> nav::NavTime {
    view.stage.world.app.world().resource::<NavClock>().now()
}
