export { addressWarnings } from './address-warnings.ts'
