import { type ComponentType, lazy } from 'react'

let loaded: ComponentType | undefined
let loading: Promise<ComponentType> | undefined
let chosen: ComponentType | undefined

/** Loads the console's code, and with it the page and the data of the current address. */
export function loadConsole(): Promise<ComponentType> {
  loading ??= open().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function open(): Promise<ComponentType> {
  const { openConsole } = await import('./open-console.ts')
  loaded = await openConsole(new URL(window.location.href))
  return loaded
}

const Later = lazy(async () => ({ default: await loadConsole() }))

/** The console at once if its code is there, else as soon as it is. */
export function LoadedConsole() {
  // Chosen once: another component in its place would start everything below it anew.
  chosen ??= loaded ?? Later
  const Console = chosen
  return <Console />
}
