#!/usr/bin/env python3
"""It reports on its own calls; it reports on others.

Breaks: reports_known_calls
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def far_end_answers(self, call):
        super().far_end_answers(call)
        self.ask("call.report_connected", {"call": "22222222-0000-4000-8000-000000000000"})


main(FaultyProvider)
