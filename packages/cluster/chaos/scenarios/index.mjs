import { busLost } from './bus-lost.mjs'
import { clockJump } from './clock-jump.mjs'
import { disconnects } from './disconnects.mjs'
import { failover } from './failover.mjs'
import { killElicitation } from './kill-elicitation.mjs'
import { killIdle } from './kill-idle.mjs'
import { killRunning } from './kill-running.mjs'
import { partition } from './partition.mjs'
import { pause } from './pause.mjs'
import { rollingFormats, rollingRestart } from './rolling-restart.mjs'
import { slowConsumer } from './slow-consumer.mjs'
import { stolenIds } from './stolen-ids.mjs'
import { storeEmpty } from './store-empty.mjs'
import { storeOutage } from './store-outage.mjs'

/** Every way in which a cluster is broken, in the order of the table. @type {readonly import('../scenario.mjs').Scenario[]} */
export const scenarios = [
  disconnects,
  killRunning,
  killIdle,
  killElicitation,
  pause,
  clockJump,
  storeOutage,
  storeEmpty,
  failover,
  partition,
  busLost,
  slowConsumer,
  rollingRestart,
  rollingFormats,
  stolenIds,
]
