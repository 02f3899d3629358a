import type { CatalogueItem } from '@parley/foundation/catalogue'
import { showHidden } from '@parley/foundation/text-safety'
import type { ReactElement } from 'react'

import { Tag } from '../parts/tag.tsx'

/** What is not as usual with a version. */
export function ItemTags({ item }: { readonly item: CatalogueItem }): ReactElement {
  return (
    <>
      {item.status !== 'active' && <Tag tone="warning">{showHidden(item.status)}</Tag>}
      {item.flags.map((flag) => (
        <Tag key={flag} tone="warning" icon="alert">
          {showHidden(flag)}
        </Tag>
      ))}
    </>
  )
}
