// A search of the real KRunner, without its window: shows what is found, and runs the first result.
import QtQml 2.0
import QtQuick 2.0
import org.kde.runnermodel 2.0 as KRunner

Item {
    KRunner.RunnerModel {
        id: found
        onCountChanged: if (count > 0) {
            console.log("found", found.data(found.index(0, 0), Qt.DisplayRole), count);
            found.run(0);
        }
    }
    // A search that the broker has not answered at once finds nothing.
    Timer {
        interval: 5000
        repeat: true
        running: found.count === 0
        onTriggered: {
            found.query = "";
            found.query = "lovelace";
        }
    }
    Component.onCompleted: found.query = "lovelace"
}
