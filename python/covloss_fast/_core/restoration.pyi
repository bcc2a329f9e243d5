# restoration
