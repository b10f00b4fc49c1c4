"""Building blocks of the dashboards: panels, queries, variables, as Grafana's JSON model has them."""

SCHEMA_VERSION = 41
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
TAG = "flink-state"
WIDTH = 24  # columns of Grafana's grid

SEVERITY_COLORS = {"critical": "red", "warning": "orange", "info": "blue"}
# By rank, so that a table can be sorted by it.
SEVERITY_RANKS = {"critical": 3, "warning": 2, "info": 1}
# TTLs are clamped to this in queries, so that "for ever" (+Inf) is a number that a mapping can name.
FOREVER_SECONDS = 1e11


def query(expr, legend="", ref="A", instant=False, table=False):
    """A PromQL query; `instant` for what is asked once, `table` for rows of labels."""
    return {
        "datasource": DATASOURCE, "refId": ref, "expr": expr, "legendFormat": legend or "__auto",
        "editorMode": "code", "instant": instant or table, "range": not (instant or table),
        "format": "table" if table else "time_series",
    }


def thresholds(*steps):
    """(None, "green"), (0.5, "red"): colours from a value on; None is the base."""
    return {"mode": "absolute", "steps": [{"value": value, "color": color} for value, color in steps]}


NO_THRESHOLDS = thresholds((None, "green"))
# Hours that are left: red below four, as long as it takes to get somebody to a desk; a week is calm.
ETA_THRESHOLDS = thresholds((None, "red"), (4 * 3600, "orange"), (7 * 86400, "green"))


def _panel(kind, title, description, targets, unit, options, defaults=None, **more):
    field = {"unit": unit, "thresholds": NO_THRESHOLDS, "color": {"mode": "thresholds"}, "mappings": []}
    return {
        "type": kind, "title": title, "description": description, "datasource": DATASOURCE,
        "targets": targets, "options": options,
        "fieldConfig": {"defaults": {**field, **(defaults or {})}, "overrides": more.pop("overrides", [])},
        **more,
    }


def stat(title, description, expr, unit="short", steps=NO_THRESHOLDS, legend="", text="value",
         mappings=None, link=None, decimals=None):
    """One number. `text="name"` shows the legend: for what is known as a label."""
    options = {
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
        "colorMode": "value" if text == "value" else "none", "graphMode": "none", "justifyMode": "auto",
        "orientation": "auto", "textMode": text, "wideLayout": True,
        "percentChangeColorMode": "standard", "showPercentChange": False,
    }
    defaults = {"thresholds": steps, "mappings": mappings or []}
    if decimals is not None:
        defaults["decimals"] = decimals
    if link:
        defaults["links"] = [link]
    return _panel("stat", title, description, [query(expr, legend, instant=True)], unit, options, defaults)


def series(title, description, targets, unit, stacked=False, steps=None, overrides=(), minimum=0):
    """Lines over time."""
    if isinstance(targets, dict):
        targets = [targets]
    options = {
        "legend": {"showLegend": True, "displayMode": "table", "placement": "right",
                   "calcs": ["lastNotNull", "max"], "sortBy": "Last *", "sortDesc": True},
        "tooltip": {"mode": "multi", "sort": "desc"},
    }
    custom = {
        "drawStyle": "line", "lineInterpolation": "linear", "lineWidth": 1,
        "fillOpacity": 20 if stacked else 5, "showPoints": "never", "spanNulls": False,
        "stacking": {"mode": "normal" if stacked else "none", "group": "A"},
        "thresholdsStyle": {"mode": "line" if steps else "off"},
    }
    defaults = {"custom": custom, "color": {"mode": "palette-classic"}, "thresholds": steps or NO_THRESHOLDS}
    if minimum is not None:
        defaults["min"] = minimum
    return _panel("timeseries", title, description, targets, unit, options, defaults,
                  overrides=list(overrides))


def heatmap(title, description, expr, unit):
    """A Prometheus histogram over time."""
    options = {
        "calculate": False, "cellGap": 1, "color": {"mode": "scheme", "scheme": "Oranges", "steps": 64,
                                                    "exponent": 0.5, "fill": "dark-orange", "reverse": False},
        "exemplars": {"color": "rgba(255,0,255,0.7)"}, "filterValues": {"le": 1e-9},
        "legend": {"show": True}, "rowsFrame": {"layout": "auto"}, "showValue": "never",
        "tooltip": {"mode": "single", "showColorScale": False, "yHistogram": False},
        "yAxis": {"axisPlacement": "left", "reverse": False, "unit": unit},
    }
    target = query(expr, "{{le}}")
    target["format"] = "heatmap"
    return _panel("heatmap", title, description, [target], unit, options)


def column(name, unit=None, width=None, mappings=None, steps=None, links=None, hidden=False):
    """What one column of a table looks like."""
    properties = []
    if unit:
        properties.append({"id": "unit", "value": unit})
    if width:
        properties.append({"id": "custom.width", "value": width})
    if mappings:
        properties.append({"id": "mappings", "value": mappings})
    if steps or mappings:
        properties.append({"id": "custom.cellOptions", "value": {"type": "color-text"}})
    if steps:
        properties.append({"id": "thresholds", "value": steps})
    if links:
        properties.append({"id": "links", "value": links})
    if hidden:
        properties.append({"id": "custom.hidden", "value": True})
    return {"matcher": {"id": "byName", "options": name}, "properties": properties}


def table(title, description, targets, names, columns=(), sort=None, descending=False):
    """Rows out of the labels of one or more queries that share them. `names`: label or "Value #B" →
    the column's head, in order; all other columns are left out."""
    transformations = []
    if len(targets) > 1:
        transformations.append({"id": "merge", "options": {}})
    order = {name: place for place, name in enumerate(names)}
    transformations += [
        {"id": "filterFieldsByName", "options": {"include": {"names": list(names)}}},
        {"id": "organize", "options": {"excludeByName": {}, "includeByName": {}, "indexByName": order,
                                       "renameByName": dict(names)}},
    ]
    options = {"frameIndex": 0, "showHeader": True, "cellHeight": "sm",
               "footer": {"show": False, "reducer": ["sum"], "countRows": False, "fields": ""}}
    if sort:
        options["sortBy"] = [{"displayName": sort, "desc": descending}]
    defaults = {"custom": {"align": "auto", "cellOptions": {"type": "auto"}, "filterable": True,
                           "inspect": False}}
    return _panel("table", title, description, targets, "none", options, defaults,
                  transformations=transformations, overrides=list(columns))


def value_map(texts):
    """{"critical": ("critical", "red")}: what a value, a text or a number, is shown as."""
    return [{"type": "value", "options": {value: {"text": text, "color": color, "index": place}
                                          for place, (value, (text, color)) in enumerate(texts.items())}}]


SEVERITIES = value_map({str(rank): (name, SEVERITY_COLORS[name]) for name, rank in SEVERITY_RANKS.items()})
FOREVER = [{"type": "range", "options": {"from": FOREVER_SECONDS, "to": None,
                                         "result": {"text": "for ever", "color": "orange", "index": 0}}}]


def row(title):
    return {"type": "row", "title": title, "collapsed": False, "panels": []}


def link(title, url):
    return {"title": title, "url": url, "targetBlank": False}


def variable(name, label, definition, multi=False, description=""):
    """A variable of a label's values. One that takes several values offers all of them."""
    made = {
        "type": "query", "name": name, "label": label, "description": description, "hide": 0,
        "datasource": DATASOURCE, "definition": definition,
        "query": {"query": definition, "refId": "PrometheusVariableQueryEditor-VariableQuery", "qryType": 1},
        "refresh": 2, "sort": 1, "regex": "", "multi": multi, "includeAll": multi, "skipUrlSync": False,
        "options": [],
    }
    if multi:
        made["allValue"] = ".*"  # not the list of all: a thousand jobs' names make no good query
        made["current"] = {"selected": True, "text": ["All"], "value": ["$__all"]}
    return made


def datasource_variable():
    return {"type": "datasource", "name": "datasource", "label": "data source", "query": "prometheus",
            "hide": 0, "refresh": 1, "regex": "", "multi": False, "includeAll": False,
            "skipUrlSync": False, "options": []}


def place(lines):
    """Lays lines of (width, height, panel) out from top to bottom; a line's widths fill the grid."""
    panels, y = [], 0
    for line in lines:
        if isinstance(line, dict):  # a row's title
            line = [(WIDTH, 1, line)]
        x = 0
        for width, height, panel in line:
            grid = {"x": x, "y": y, "w": width, "h": height}
            panels.append({"id": len(panels) + 1, "gridPos": grid, **panel})
            x += width
        assert x == WIDTH, f"a line of width {x}: {[p['title'] for _, _, p in line]}"
        y += max(height for _, height, _ in line)
    return panels


def dashboard(uid, title, description, variables, lines, alerts):
    """A whole dashboard. `alerts` selects the alerts that are drawn into its graphs."""
    return {
        "uid": uid, "title": title, "description": description, "tags": [TAG], "id": None,
        "schemaVersion": SCHEMA_VERSION, "version": 1, "editable": True, "graphTooltip": 1,
        "fiscalYearStartMonth": 0, "liveNow": False, "preload": False, "refresh": "1m",
        "time": {"from": "now-24h", "to": "now"}, "timepicker": {}, "timezone": "browser",
        "weekStart": "",
        "annotations": {"list": [
            {"builtIn": 1, "datasource": {"type": "grafana", "uid": "-- Grafana --"}, "enable": True,
             "hide": True, "iconColor": "rgba(0, 211, 255, 1)", "name": "Annotations & Alerts",
             "type": "dashboard"},
            {"datasource": DATASOURCE, "enable": True, "hide": False, "iconColor": "red", "name": "Alerts",
             "expr": f'ALERTS{{alertname=~"FlinkState.+", alertstate="firing", {alerts}}}', "step": "60s",
             "titleFormat": "{{alertname}} ({{severity}})", "textFormat": "{{operator}} {{state}}",
             "tagKeys": "severity"},
        ]},
        "links": [{"type": "dashboards", "title": "Flink state", "tags": [TAG], "asDropdown": False,
                   "includeVars": True, "keepTime": True, "targetBlank": False, "icon": "external link",
                   "tooltip": "", "url": ""}],
        "templating": {"list": [datasource_variable(), *variables]},
        "panels": place(lines),
    }
