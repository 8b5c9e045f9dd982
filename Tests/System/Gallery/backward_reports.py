#!/usr/bin/env python3
"""No report goes back; it connects what is connected.

Breaks: reports_forward
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def far_end_answers(self, call):
        super().far_end_answers(call)
        self.ask("call.report_connecting", {"call": call})


main(FaultyProvider)
