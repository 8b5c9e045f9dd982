/// A request of those who operate a broker.
package enum OperationsRequest {
    case metrics
    case dump
    case backup
    case listConnections(PageParams)
}
