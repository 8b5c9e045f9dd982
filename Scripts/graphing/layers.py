"""The order of the parts from top to bottom, and the arrows that go against it."""
from functools import cache


@cache
def components(graph):
    """The sets of nodes that reach each other, each sorted (Tarjan)."""
    below = {node: [] for node in graph.nodes}
    for source, destination in sorted(graph.arrows):
        below[source].append(destination)
    found, number, low, stack = [], {}, {}, []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in below[node]:
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            start = stack.index(node)
            found.append(sorted(stack[start:]))
            del stack[start:]

    for node in sorted(graph.nodes):
        if node not in number:
            visit(node)
    # Tarjan finds what is below first.
    return found[::-1]


@cache
def order(graph):
    """All nodes from top to bottom, so that few references go upward."""
    return [node for component in components(graph) for node in in_order(graph, component)]


def upward(graph):
    """The arrows that close a cycle: those from below to above, in an order in which these have few
    references."""
    place = {node: index for index, node in enumerate(order(graph))}
    return {arrow for arrow in graph.arrows if place[arrow[0]] > place[arrow[1]]}


def in_order(graph, component):
    """The nodes of one cycle: from an order by the share of outgoing references, each node goes to
    its best place for as long as that saves an upward reference."""
    weight = {arrow: value.references for arrow, value in graph.arrows.items()
              if arrow[0] in component and arrow[1] in component}

    def balance(node):
        out = sum(count for (source, _), count in weight.items() if source == node)
        into = sum(count for (_, destination), count in weight.items() if destination == node)
        return (into - out, node)

    def gain(source, destination):
        return weight.get((source, destination), 0) - weight.get((destination, source), 0)

    nodes = sorted(component, key=balance)
    improved = True
    while improved:
        improved = False
        for node in list(nodes):
            place = nodes.index(node)
            rest = nodes[:place] + nodes[place + 1:]
            # The references upward that each place saves, compared with the top.
            saved = [0]
            for other in rest:
                saved.append(saved[-1] + gain(other, node))
            best = max(range(len(saved)), key=lambda index: saved[index])
            if saved[best] > saved[place]:
                nodes, improved = rest[:best] + [node] + rest[best:], True
    return nodes


def implied(graph):
    """The downward arrows beside which there is a longer way down."""
    below = {}
    downward = set(graph.arrows) - upward(graph)
    for source, destination in downward:
        below.setdefault(source, set()).add(destination)
    reach = {}
    for node in reversed(order(graph)):
        direct = below.get(node, set())
        reach[node] = direct.union(*(reach.get(other, set()) for other in direct))
    return {(source, destination) for source, destination in downward
            if any(destination in reach.get(other, ()) for other in below[source] - {destination})}
