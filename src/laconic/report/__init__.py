"""Reports: a decision set, its proof and its results on data, as one HTML file."""

from __future__ import annotations

from laconic.report.page import render_report, write_report
from laconic.report.trade_off import TradeOffPoint

__all__ = ["TradeOffPoint", "render_report", "write_report"]
