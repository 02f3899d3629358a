export {
  countHidden,
  hasInvisible,
  hiddenParts,
  plainName,
  replaceHidden,
  showHidden,
  withoutHidden,
  withoutHiddenIn,
} from './hidden-characters.ts'
export { findInjection, scanForInjection } from './injection-patterns.ts'
export { findLookAlikes, foldName, skeletonOf } from './look-alikes.ts'
export type { UsedName, LookAlike } from './look-alikes.ts'
export { scanText } from './text-pattern.ts'
export type { Scan, TextPattern } from './text-pattern.ts'
