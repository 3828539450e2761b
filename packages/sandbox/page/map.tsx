import type { Place, Positions } from "../src/engine/controls/wire.ts";
import { useCall } from "./api.ts";
import { stamp } from "./format.ts";
import { useStore } from "./store.ts";

const WIDTH = 900;
const HEIGHT = 520;
const EDGE = 44;
const KILOMETERS_PER_DEGREE = 111.32;
/** Places in the table below the map. */
const LISTED = 20;

/** The positions of mapped uplinks and of the hotspots that heard them. It loads no tiles. */
export function MapView() {
  const { requests } = useStore();
  const mapped = requests.findLast(({ service }) => service === "mapper");
  const changes = [mapped?.number, mapped?.status];
  const positions = useCall<Positions | undefined>("GET /sandbox/positions", undefined, changes);
  if (positions === undefined) return <p class="note">Loading …</p>;
  const { uplinks, hotspots } = positions;
  if (uplinks.length === 0)
    return (
      <div class="empty">
        <h2>No position yet</h2>
        <p>
          Send an uplink with a position to the mapper. It appears here with the hotspots that heard
          it.
        </p>
      </div>
    );
  const project = projection([...uplinks, ...hotspots]);
  const last = uplinks.slice(-LISTED).toReversed();
  return (
    <div class="panel">
      <p class="legend">
        <span>
          <i /> {uplinks.length.toLocaleString("en")} {uplinks.length === 1 ? "uplink" : "uplinks"}
        </span>
        <span>
          <i class="hotspot" /> {hotspots.length.toLocaleString("en")}{" "}
          {hotspots.length === 1 ? "hotspot" : "hotspots"}
        </span>
      </p>
      <svg
        class="map"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Positions; the table below lists the last ones"
      >
        {project.lines.map(({ x1, y1, x2, y2, label }) => (
          <g key={`${x1} ${y1}`}>
            <line x1={x1} y1={y1} x2={x2} y2={y2} />
            <text x={x1 + 4} y={y1 === y2 ? y1 - 4 : HEIGHT - 8}>
              {label}
            </text>
          </g>
        ))}
        {hotspots.map((place) => {
          const [x, y] = project.at(place);
          return (
            <rect
              key={place.name}
              class="hotspot"
              x={x - 5}
              y={y - 5}
              width={10}
              height={10}
              rx={2}
            >
              <title>{place.name}</title>
            </rect>
          );
        })}
        {uplinks.map((place, at) => {
          const [x, y] = project.at(place);
          return (
            <circle key={at} class="uplink" cx={x} cy={y} r={4}>
              <title>{`${place.name} ${stamp(place.at)}`}</title>
            </circle>
          );
        })}
        <text x={WIDTH - EDGE} y={20} text-anchor="end">
          {project.width}
        </text>
      </svg>
      <div class="table" tabIndex={0} role="region" aria-label="The last uplinks">
        <table>
          <thead>
            <tr>
              {["time", "device", "latitude", "longitude"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {last.map((place, at) => (
              <tr key={at}>
                <td>{stamp(place.at)}</td>
                <td>{place.name}</td>
                <td>{place.latitude}</td>
                <td>{place.longitude}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** A plane around the places: a degree of longitude is shorter than one of latitude. */
function projection(places: readonly Place[]) {
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const [south, north] = widened(Math.min(...latitudes), Math.max(...latitudes));
  const [west, east] = widened(Math.min(...longitudes), Math.max(...longitudes));
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.min(
    (WIDTH - 2 * EDGE) / ((east - west) * narrow),
    (HEIGHT - 2 * EDGE) / (north - south),
  );
  const [middleX, middleY] = [(west + east) / 2, (south + north) / 2];
  const x = (longitude: number): number => WIDTH / 2 + (longitude - middleX) * narrow * scale;
  const y = (latitude: number): number => HEIGHT / 2 - (latitude - middleY) * scale;
  const shown = { width: WIDTH / scale / narrow, height: HEIGHT / scale };
  const step = stepOf(Math.min(shown.width, shown.height));
  const lines = [
    ...ticks(middleX, shown.width, step).map((at) => ({
      x1: x(at),
      y1: 0,
      x2: x(at),
      y2: HEIGHT,
      label: degreesText(at, step),
    })),
    ...ticks(middleY, shown.height, step).map((at) => ({
      x1: 0,
      y1: y(at),
      x2: WIDTH,
      y2: y(at),
      label: degreesText(at, step),
    })),
  ];
  const kilometers = (WIDTH / scale) * KILOMETERS_PER_DEGREE;
  return {
    at: ({ latitude, longitude }: Place): readonly [number, number] => [x(longitude), y(latitude)],
    lines,
    width: `${kilometers < 10 ? kilometers.toFixed(1) : Math.round(kilometers).toLocaleString("en")} km wide`,
  };
}

/** A single place has some land around it. */
const LEAST_SPAN = 0.01;

function widened(low: number, high: number): [number, number] {
  const missing = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  return [low - missing, high + missing];
}

/** About four lines: 1, 2 or 5 times a power of ten. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 4));
  return ([1, 2, 5].find((times) => times * power >= span / 4) ?? 10) * power;
}

function ticks(middle: number, span: number, step: number): number[] {
  const first = Math.ceil((middle - span / 2) / step);
  const last = Math.floor((middle + span / 2) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}

function degreesText(degrees: number, step: number): string {
  return `${degrees.toFixed(Math.max(0, Math.ceil(-Math.log10(step))))}°`;
}
