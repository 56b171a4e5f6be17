namespace textcrs {}
