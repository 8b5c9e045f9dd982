#!/usr/bin/env python3
"""Members it does not know are ignored; it refuses them.

Breaks: new_request_members
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if any(name.startswith("x_") for name in params):
            return self.reply(request, error={"code": -32602, "message": "what is that?"})
        super().perform(request, params)


main(FaultyProvider)
