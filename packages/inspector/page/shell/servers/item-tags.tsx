import { showHidden, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { CatalogueItem } from '../../../src/protocol/index.ts'

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
