import type { MouseEvent, ReactElement, ReactNode } from 'react'

import { go, linkTo, useAddress, type Address } from './address.ts'

export interface AddressLinkProps {
  readonly to: Partial<Address>
  readonly className?: string | undefined
  readonly isCurrent?: boolean | undefined
  readonly children: ReactNode
}

/** A link within this page; opened elsewhere it shows the same. */
export function AddressLink(props: AddressLinkProps): ReactElement {
  const { to, className, isCurrent, children } = props
  const address = useAddress()
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(to)
    document.querySelector<HTMLElement>('#workspace')?.scrollTo(0, 0)
  }
  return (
    <a
      className={className}
      href={linkTo({ ...address, ...to })}
      aria-current={isCurrent === true ? 'true' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
