export {
  startBalancer,
  type Balancer,
  type BalancerCounts,
  type BalancerOptions,
} from './balancer.ts'
export {
  findRedis,
  installRedis,
  startRedisProcess,
  type RedisProcess,
  type RedisProcessOptions,
} from './redis-process.ts'
export { openRelay, type Relay } from './relay.ts'
export {
  startServerProcess,
  type ProcessEnd,
  type ServerProcess,
  type ServerProcessOptions,
} from './server-process.ts'
export { storeContract, type OpenedStore, type StoreCase } from './store-contract.ts'
export { withUnreliableBus, type UnreliableBusOptions } from './unreliable-bus.ts'
