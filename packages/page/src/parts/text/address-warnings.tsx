import { addressWarnings } from '@parley/foundation/address'
import type { ReactElement } from 'react'

import { Icon } from '../../icons.tsx'

/** What to know before going to an address that somebody else chose; nothing for an ordinary one. */
export function AddressWarnings({ url }: { readonly url: string }): ReactElement {
  return (
    <>
      {addressWarnings(url).map((warning) => (
        <span key={warning} className="address-warning">
          <Icon name="alert" size={13} /> {warning}
        </span>
      ))}
    </>
  )
}
