import type { Access } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { Navigate, useLocation, useRoutes } from 'react-router'
import { ImpersonationBanner } from '../../features/impersonation/Banner.tsx'
import { StartFromAddress } from '../../features/impersonation/StartFromAddress.tsx'
import { paths } from '../../lib/paths.ts'
import { accessOf, holdsOne } from '../../lib/screen-access.ts'
import { useSessionState } from '../../lib/session.ts'
import { narrow, useMedia } from '../../lib/use-media.ts'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import { useLive } from '../LiveProvider.tsx'
import { homeOf } from '../navigation.ts'
import { preload, routeOf, tabTitleOf } from '../preload.ts'
import type { Route } from '../routes.tsx'
import { MirrorNotice } from './MirrorNotice.tsx'
import { SideNav } from './SideNav.tsx'
import css from './shell.module.css'
import { TopBar } from './TopBar.tsx'
import { useArrival } from './use-arrival.ts'
import { useLinkClicks } from './use-link-clicks.ts'

const DeniedScreen = lazy(() => import('./DeniedScreen.tsx').then((module) => ({ default: module.DeniedScreen })))
const NavDrawer = lazy(() => import('./NavDrawer.tsx').then((module) => ({ default: module.NavDrawer })))

export function Shell() {
  const [drawer, setDrawer] = useState(false)
  const isNarrow = useMedia(narrow)
  const { calm } = useLive()
  const { pathname, search } = useLocation()
  const route = routeOf(pathname)
  const title = tabTitleOf(pathname, search) ?? route?.title ?? ''
  const needed = useNeeded(route, search)
  const screen = useRoutes(route ? [guard(route, title, needed)] : [])
  const main = useArrival(pathname, title)
  const moving = useLinkClicks(preload)

  return (
    <div className={css['layout']}>
      <a className={css['skip']} href="#main">
        Skip to content
      </a>
      {moving ? <div className={css['moving']} /> : null}
      {isNarrow ? (
        drawer && (
          <Suspense>
            <NavDrawer onClose={() => setDrawer(false)} />
          </Suspense>
        )
      ) : (
        <div className={css['side']}>
          <SideNav />
        </div>
      )}
      <div className={css['column']}>
        <TopBar onMenu={() => setDrawer(true)} />
        <ImpersonationBanner ready={calm} />
        <main id="main" ref={main} tabIndex={-1} className={css['main']}>
          <MirrorNotice />
          <SectionBoundary resetKey={pathname} onRetry={reloadForCode}>
            {screen}
          </SectionBoundary>
        </main>
        <StartFromAddress />
      </div>
      <Spoken as="p" role="status">
        {title}
      </Spoken>
    </div>
  )
}

/** What the screen needs and the one who is signed in lacks; nothing for whoever may open it. */
function useNeeded(route: Route | undefined, search: string): readonly Access[] | undefined {
  const { actor } = useSessionState()
  const needed = accessOf(route?.path ?? '', new URLSearchParams(search).get('tab'))
  return holdsOne(needed, actor.permissions) ? undefined : needed
}

/** The route, or what stands in its place for whoever may not open it. */
function guard(route: Route, title: string, needed: readonly Access[] | undefined): Route {
  if (!needed) return route
  const element = route.path === paths.dashboard ? <GoHome /> : <DeniedScreen title={title} needed={needed} />
  return { ...route, element: <Suspense>{element}</Suspense> }
}

function GoHome() {
  return <Navigate to={homeOf(useSessionState().actor.permissions)} replace />
}

/** A page whose code could not be loaded stays failed until a new page asks for it. */
function reloadForCode(error: Error): void {
  if (/dynamically imported module|module script|preload CSS/i.test(error.message)) window.location.reload()
}
