#include "measure/report/html/html_parts.hpp"

namespace kg::measure {

namespace {

/// The window's colours, in light and in dark.
constexpr const char* kLight =
    R"(color-scheme:light;--page:#f3f3f3;--field:#ffffff;--hover:#e6e6e6;--line:#c4c4c4;
--text:#1b1b1b;--second:#565656;--accent:#0b7080;--ok:#1a7546;--warn:#855300;--error:#b3261e;--a:#0067a5;--b:#b45309;)";
constexpr const char* kDark =
    R"(color-scheme:dark;--page:#262626;--field:#333333;--hover:#3d3d3d;--line:#464646;
--text:#ededed;--second:#b4b4b4;--accent:#45b8c8;--ok:#5cc48d;--warn:#e8b54a;--error:#ff8a80;--a:#56b4e9;--b:#e69f00;)";

constexpr const char* kStyle = R"(
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 12px 24px 48px; }
header { display: flex; justify-content: space-between; align-items: center; min-height: 32px; color: var(--second); }
h1 { font-size: 24px; line-height: 1.35; font-weight: 600; margin: 12px 0; max-width: 60em; text-wrap: pretty; }
h2 { font-size: 16px; font-weight: 600; margin: 36px 0 8px; }
p, dl { margin: 8px 0; max-width: 72em; }
.note { color: var(--second); }
button, input { font: inherit; color: var(--text); background: var(--field); border: 0; border-radius: 4px;
  padding: 4px 12px; min-height: 28px; }
button { cursor: pointer; }
button:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
a { color: var(--accent); }
.chips { display: flex; flex-wrap: wrap; gap: 6px 8px; padding: 0; margin: 8px 0; list-style: none; }
.chips li { background: var(--field); border-radius: 6px; padding: 2px 10px; }
.good { color: var(--ok); } .bad { color: var(--error); } .warn { color: var(--warn); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; }
dt { color: var(--second); } dd { margin: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: 6px 0; font-weight: 600; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; }
th, td { padding: 5px 12px 5px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--second); font-weight: 600; vertical-align: bottom; }
td.n, th.n { text-align: right; white-space: nowrap; }
td.n, .time { font: 13px/1.6 "JetBrains Mono", ui-monospace, monospace; font-variant-numeric: tabular-nums; }
td.w, td.v, .wins td { white-space: nowrap; }
td.t { min-width: 14em; }
tr.peer td.w { color: var(--second); }
tr.best td.w { font-weight: 600; color: var(--ok); }
td.why { color: var(--second); }
tr.wrong td.w, tr.wrong td.why span { color: var(--error); font-weight: 600; }
td.bar { min-width: 120px; }
td.bar i { display: block; height: 12px; margin-top: 5px; border-radius: 0 4px 4px 0; background: var(--a); }
tr.peer td.bar i { background: repeating-linear-gradient(115deg, var(--second) 0 2px, transparent 2px 5px); }
.wins th[colspan] { padding: 12px 0 2px; border: 0; color: var(--text); }
.wins th[colspan] span { position: sticky; left: 0; }
.wins td { padding-right: 20px; }
.wins b { display: block; font-weight: 600; }
.wins .peer b { color: var(--warn); }
.wins .time { display: block; } .wins .note { display: block; font-size: 12px; white-space: normal; max-width: 16em; }
th[aria-sort] { cursor: pointer; white-space: nowrap; }
th[aria-sort]:hover { color: var(--text); }
th[aria-sort=ascending]::after { content: " \25B2"; }
th[aria-sort=descending]::after { content: " \25BC"; }
svg { display: block; width: 100%; height: auto; margin: 8px 0; font: 12px Inter, system-ui, sans-serif; }
svg.wide { max-width: 960px; } svg.narrow { display: none; }
svg text { fill: var(--second); }
.label, .limit-text { paint-order: stroke; stroke: var(--page); stroke-width: 3px; stroke-linejoin: round; }
svg path { fill: none; }
.grid { stroke: var(--line); stroke-width: .75; }
.limit { stroke: var(--second); stroke-width: 1; }
.a { --ink: var(--a); } .b { --ink: var(--b); } .peer { --ink: var(--second); }
.series .line { stroke: var(--ink); stroke-width: 1.25; }
.series.wins .line { stroke-width: 2.5; }
.series.peer .line { stroke-dasharray: 6 4; }
.series .band { fill: var(--ink); opacity: .2; }
.series .mark { fill: var(--ink); }
.series.peer .mark { fill: var(--page); stroke: var(--ink); stroke-width: 1.5; }
.series .label { fill: var(--ink); }
.series.wins .label { font-weight: 600; }
.leader { stroke: var(--line); stroke-width: 1; stroke-dasharray: 1 3; }
.wrong { fill: var(--page) !important; stroke: var(--error); stroke-width: 1.5; }
svg .wrong-label { fill: var(--error); }
svg:has(.series:hover) .series:not(:hover) { opacity: .3; }
@media (max-width: 640px) {
  main { padding: 8px 12px 32px; }
  h1 { font-size: 20px; }
  svg.wide { display: none; } svg.narrow { display: block; max-width: 480px; }
  dl { grid-template-columns: 1fr; } dt { margin-top: 6px; }
}
@media print { button, input { display: none; } details > * { display: block; } }
)";

constexpr const char* kScript = R"page(
(() => {
  const page = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => page.dataset.theme ? page.dataset.theme === "dark" : dark.matches;
  const button = document.createElement("button");
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.onclick = () => { page.dataset.theme = isDark() ? "light" : "dark"; name(); };
  dark.onchange = name;
  name();
  document.querySelector("header").append(button);

  const table = document.getElementById("rows");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  // A reason that spans columns is not a number of any of them.
  const value = (row, column) => {
    let begin = 0;
    const cell = [...row.cells].find(cell => column < (begin += cell.colSpan));
    if (cell.colSpan > 1 && heads[column].className) return "";
    return cell.dataset.v ?? cell.textContent;
  };
  // Cells without a value stay last in either sort direction.
  const sort = (column, down) => {
    const compare = (a, b) => {
      const x = value(a, column), y = value(b, column);
      if (x === "" || y === "") return (x === "") - (y === "");
      const order = isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
      return down ? -order : order;
    };
    body.append(...[...body.rows].sort(compare));
    heads.forEach((head, i) => { head.ariaSort = i !== column ? "none" : down ? "descending" : "ascending"; });
  };
  heads.forEach((head, column) => {
    const resort = () => sort(column, head.ariaSort === "ascending");
    head.ariaSort = "none";
    head.tabIndex = 0;
    head.onclick = resort;
    head.onkeydown = event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      resort();
    };
  });

  const filter = document.createElement("input");
  filter.type = "search";
  filter.oninput = () => {
    const terms = filter.value.toLowerCase().split(/\s+/);
    for (const row of body.rows)
      row.hidden = !terms.every(term => row.textContent.toLowerCase().includes(term));
  };
  const label = document.createElement("label");
  label.append("Show rows with ", filter);
  table.parentElement.before(label);
})();
)page";

} // namespace

std::string html_style() {
    const std::string light = kLight, dark = kDark;
    return ":root {" + light + "}\n@media (prefers-color-scheme: dark) { :root {" + dark +
           "} }\n:root[data-theme=light] {" + light + "}\n:root[data-theme=dark] {" + dark + "}" + kStyle;
}

std::string html_script() { return kScript; }

} // namespace kg::measure
