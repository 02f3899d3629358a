import type { Annotations } from '../schema/metadata.ts'
import type { WireFeatures } from './codec.ts'
import { omit } from './omit.ts'

/** `lastModified` is the only annotation that is younger than the others. */
export function downgradeAnnotated<T extends { readonly annotations?: Annotations }>(
  item: T,
  has: WireFeatures,
): T {
  if (has.lastModified || item.annotations?.lastModified === undefined) return item
  return { ...item, annotations: omit(item.annotations, ['lastModified']) }
}
