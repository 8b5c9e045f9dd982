#!/usr/bin/env python3
"""The quality of a call is reported under the call's id; it reports it under one of its own.

Breaks: reports_quality
"""
import uuid

from honest import main, Telephone


class FaultyProvider(Telephone):
    def report_quality(self, call):
        super().report_quality(str(uuid.uuid4()))


main(FaultyProvider)
