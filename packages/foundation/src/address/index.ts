export { addressWarnings } from './address-warnings.ts'
export { linkWarnings } from './link-warnings.ts'
export { mixedScripts } from './scripts.ts'
