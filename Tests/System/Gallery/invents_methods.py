#!/usr/bin/env python3
"""It asks for what there is; it makes up more.

Breaks: legal_requests
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def far_end_answers(self, call):
        super().far_end_answers(call)
        self.ask("call.report_happiness", {"call": call})


main(FaultyProvider)
