export { addressWarnings } from './address-warnings.ts'
export { mixedScripts } from './scripts.ts'
