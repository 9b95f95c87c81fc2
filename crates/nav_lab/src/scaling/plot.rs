//! A plot of tick times over the number of chasers, as SVG.

use super::point::Point;
use plotters::{
    backend::SVGBackend,
    chart::{ChartBuilder, ChartContext, SeriesLabelPosition},
    coord::{
        cartesian::Cartesian2d,
        combinators::{IntoLogRange, LogCoord},
    },
    drawing::{DrawingAreaErrorKind, IntoDrawingArea},
    element::{Circle, PathElement},
    series::LineSeries,
    style::{BLACK, Color, RGBColor, ShapeStyle, WHITE},
};
use std::collections::BTreeSet;

/// The palette of Okabe and Ito, which colour-blind readers can distinguish.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
];
const GREY: RGBColor = RGBColor(120, 120, 120);

/// Draws the mean time of a tick over the number of chasers as SVG, both on logarithmic axes, with
/// a line per number of threads. A grey line marks the length of a tick.
///
/// # Errors
///
/// An error of the plotting library. No input causes one.
pub fn svg(points: &[Point]) -> Result<String, String> {
    let mut text = String::new();
    draw(points, &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Both axes are logarithmic.
type Axes = Cartesian2d<LogCoord<f64>, LogCoord<f64>>;

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

fn draw(points: &[Point], text: &mut String) -> Drawn {
    let area = SVGBackend::with_string(text, (800, 520)).into_drawing_area();
    area.fill(&WHITE)?;
    let tick_ms = points
        .first()
        .map_or(50.0, |point| 1000.0 / f64::from(point.report.hz.max(1)));
    let (chasers, times) = (
        decades(points.iter().map(|point| at(point).0)),
        decades(points.iter().map(|point| at(point).1).chain([tick_ms])),
    );
    let mut chart = ChartBuilder::on(&area)
        .caption("Time of a tick", ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(
            (chasers.0..chasers.1).log_scale(),
            (times.0..times.1).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("chasers")
        .y_desc("mean time of a tick, ms")
        .x_label_formatter(&|count| short(*count))
        .y_label_formatter(&|ms| format!("{ms}"))
        .light_line_style(RGBColor(235, 235, 235))
        .bold_line_style(RGBColor(210, 210, 210))
        .label_style(("sans-serif", 15))
        .draw()?;
    chart
        .draw_series(LineSeries::new(
            [(chasers.0, tick_ms), (chasers.1, tick_ms)],
            GREY.stroke_width(1),
        ))?
        .label(format!("real time, {tick_ms:.0} ms"))
        .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], GREY));
    draw_lines(&mut chart, points)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 15))
        .draw()?;
    area.present()
}

/// Draws a line for each number of threads.
fn draw_lines<'a>(chart: &mut ChartContext<'a, SVGBackend<'a>, Axes>, points: &[Point]) -> Drawn {
    let threads: BTreeSet<u32> = points.iter().map(|point| point.report.threads).collect();
    for (&threads, colour) in threads.iter().zip(COLOURS.into_iter().cycle()) {
        let style: ShapeStyle = colour.stroke_width(2);
        let mut line: Vec<(f64, f64)> = points
            .iter()
            .filter(|point| point.report.threads == threads)
            .map(at)
            .collect();
        line.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let unit = if threads == 1 { "thread" } else { "threads" };
        chart
            .draw_series(LineSeries::new(line.iter().copied(), style))?
            .label(format!("{threads} {unit}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        chart.draw_series(
            line.into_iter()
                .map(|place| Circle::new(place, 4, colour.filled())),
        )?;
    }
    Ok(())
}

/// Returns where a run is on the plot.
fn at(point: &Point) -> (f64, f64) {
    let report = &point.report;
    (
        f64::from(report.chasers).max(1.0),
        report.tick_ms.mean.max(1e-6),
    )
}

/// Returns the powers of ten around some numbers, at least a decade apart.
fn decades(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = numbers.fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), number| {
        (least.min(number), most.max(number))
    });
    let (below, above) = (least.min(most).log10().floor(), most.log10().ceil());
    (10_f64.powf(below), 10_f64.powf(above.max(below + 1.0)))
}

/// Formats a number as `1k`, `20k` or `1m`.
fn short(count: f64) -> String {
    if count >= 1e6 {
        format!("{}m", count / 1e6)
    } else if count >= 1e3 {
        format!("{}k", count / 1e3)
    } else {
        format!("{count}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_axes() {
        assert_eq!(decades([3.0, 45.0].into_iter()), (1.0, 100.0));
        assert_eq!(decades([1000.0].into_iter()), (1000.0, 10_000.0));
        assert_eq!(decades([0.02, 0.5].into_iter()), (0.01, 1.0));
    }

    #[test]
    fn numbers_of_chasers_are_short() {
        assert_eq!(
            [100.0, 1e3, 2e4, 1e6].map(short),
            ["100", "1k", "20k", "1m"]
        );
    }
}
