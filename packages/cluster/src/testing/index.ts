export { storeContract, type OpenedStore, type StoreCase } from './store-contract.ts'
export { withUnreliableBus, type UnreliableBusOptions } from './unreliable-bus.ts'
