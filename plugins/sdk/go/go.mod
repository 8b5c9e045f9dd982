module callbroker

go 1.19
