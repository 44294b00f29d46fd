import { type ComponentProps, lazy } from 'react'

type Login = typeof import('./login/LoginScreen.tsx').LoginScreen

let loaded: Login | undefined
let chosen: Login | typeof Later | undefined

/** Loads the login screen, which somebody who is signed in does not need. */
export async function loadLogin(): Promise<Login> {
  loaded = (await import('./login/LoginScreen.tsx')).LoginScreen
  return loaded
}

const Later = lazy(async () => ({ default: await loadLogin() }))

export function LoadedLogin(props: ComponentProps<Login>) {
  chosen ??= loaded ?? Later
  const Login = chosen
  return <Login {...props} />
}
