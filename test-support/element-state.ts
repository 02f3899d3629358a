import type { Locator } from 'playwright-core'

// What elements of a page are like. Most tests are checked without the types of a browser.

/** Whether the keyboard goes there. */
export function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((one) => {
    const { ownerDocument } = one as { ownerDocument?: { activeElement: unknown } } // every element has it
    return ownerDocument?.activeElement === one
  })
}

/** What is typed into a field, or written into an editor. */
export function textIn(element: Locator): Promise<string> {
  return element.evaluate((one) => {
    const { value, textContent } = one as { value?: string; textContent?: string | null } // fields have one, others the other
    return value ?? textContent ?? ''
  })
}
