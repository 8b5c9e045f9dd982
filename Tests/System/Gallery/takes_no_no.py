#!/usr/bin/env python3
"""A call that may not ring is given up; it tells more of it.

Breaks: takes_no_for_an_answer
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def rang(self, call, frame):
        self.ask("call.report_connecting", {"call": call})


main(FaultyProvider)
