import { startBridge } from '@parley/gateway'

import { testMatrix } from './matrix-cells.ts'

testMatrix('bridge', 'transports', (options) =>
  startBridge({ ...options, port: 0, host: '127.0.0.1', onError: () => undefined }),
)
