import type { Settings } from '../../config.ts'

/** All in milliseconds. The warning comes five minutes before the end. */
export type SessionLimits = { idleMs: number; warnAfterMs: number; hiddenMs: number; totalMs: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const warningMs = 5 * minuteMs

export function sessionLimits({
  idleMinutes,
  hiddenHours,
  sessionHours,
}: Pick<Settings, 'idleMinutes' | 'hiddenHours' | 'sessionHours'>): SessionLimits {
  const idleMs = idleMinutes * minuteMs
  return {
    idleMs,
    warnAfterMs: Math.max(idleMs - warningMs, minuteMs),
    hiddenMs: hiddenHours * hourMs,
    totalMs: sessionHours * hourMs,
  }
}

const tabLimit = 50

/** A closed tab is remembered, because its last words may arrive in any order. */
export type Tab = { state: 'visible' | 'hidden' | 'closed'; heard_at: number }

/** What is known of a session's use. `hiddenSince` is set while every tab that is known is hidden. */
export type Activity = { lastActivityAt: number; hiddenSince: number | null; tabs: Readonly<Record<string, Tab>> }

export type TabReport = { tab: string; state: Tab['state'] }

/** The moment at which a session without further activity ends. */
export function idleEnd({ lastActivityAt, hiddenSince }: Activity, limits: SessionLimits): number {
  return hiddenSince === null ? lastActivityAt + limits.idleMs : hiddenSince + limits.hiddenMs
}

/** The administrator did something. Whatever tabs said before, one is in use and therefore visible. */
export function afterHeartbeat(activity: Activity, now: number, tab?: string): Activity {
  const tabs = tab === undefined ? activity.tabs : withTab(activity.tabs, tab, { state: 'visible', heard_at: now })
  return { lastActivityAt: now, hiddenSince: null, tabs }
}

/** A tab was hidden, shown or closed. Only a return to a hidden tab is activity: reports may repeat by themselves. */
export function afterReport(
  activity: Activity,
  { tab, state }: TabReport,
  now: number,
  limits: Pick<SessionLimits, 'idleMs'>,
): Activity {
  const known = activity.tabs[tab]?.state
  if (known === 'closed' && state === 'hidden') return activity
  const tabs = withTab(activity.tabs, tab, { state, heard_at: now })
  return {
    lastActivityAt: known === 'hidden' && state === 'visible' ? now : activity.lastActivityAt,
    hiddenSince: areAllHidden(tabs, now, limits.idleMs) ? (activity.hiddenSince ?? now) : null,
    tabs,
  }
}

function areAllHidden(tabs: Activity['tabs'], now: number, idleMs: number): boolean {
  const open = Object.values(tabs).filter((tab) => isOpen(tab, now, idleMs))
  return open.length > 0 && open.every((tab) => tab.state === 'hidden')
}

/** A visible tab that was not heard of for as long as an idle session lasts has crashed: it holds back nothing. */
function isOpen(tab: Tab, now: number, idleMs: number): boolean {
  return tab.state === 'hidden' || (tab.state === 'visible' && now - tab.heard_at < idleMs)
}

function withTab(tabs: Activity['tabs'], id: string, tab: Tab): Activity['tabs'] {
  const others = Object.entries(tabs).filter(([known]) => known !== id)
  const newest = others.sort(([, a], [, b]) => b.heard_at - a.heard_at).slice(0, tabLimit - 1)
  return Object.fromEntries([...newest, [id, tab]])
}
