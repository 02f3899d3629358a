import type { ReactElement } from 'react'

export interface ItemTitleProps {
  readonly title: string | undefined
  readonly name: string
}

/** What a tool or prompt is called: its title for people, and the name that programs use. */
export function ItemTitle({ title, name }: ItemTitleProps): ReactElement {
  if (title === undefined || title.trim() === '' || title === name) {
    return <span className="grow cut">{name}</span>
  }
  return (
    <>
      <span className="item-title cut">{title}</span> <code className="item-name cut">{name}</code>
    </>
  )
}
