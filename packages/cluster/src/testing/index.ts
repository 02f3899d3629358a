export { storeContract, type OpenedStore, type StoreCase } from './store-contract.ts'
