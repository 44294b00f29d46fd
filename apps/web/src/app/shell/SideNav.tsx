import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { signOut, useSessionState } from '../../lib/session.ts'
import { load, save } from '../../lib/storage.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { IconName } from '../../ui/icons.ts'
import { currentEntry, isGroup, type NavGroup, type NavItem, navigationOf } from '../navigation.ts'
import { navIcons } from './nav-icons.ts'
import css from './SideNav.module.css'
import { SystemStatus } from './SystemStatus.tsx'
import { useUnreadPurchases } from './use-unread-purchases.ts'

export function SideNav() {
  const { version, actor } = useSessionState()
  const { pathname, search } = useLocation()
  const current = currentEntry(pathname, search)
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen has another entry
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [pathname])
  return (
    <nav className={css['nav']} aria-label="Main">
      <div className={css['brand']}>
        <img src="/favicon.svg" width={26} height={26} alt="" />
        Agency Console
        <span className={css['version']}>v{version}</span>
      </div>
      <div className={css['scroll']} ref={list}>
        <ul className={css['list']}>
          {navigationOf(actor.permissions).map((entry) => (
            <li key={entry.label}>
              {isGroup(entry) ? (
                <Group group={entry} current={current?.group?.label === entry.label ? current.item : undefined} />
              ) : (
                <Entry item={entry} isCurrent={current?.item === entry} icon={navIcons[entry.label]} />
              )}
            </li>
          ))}
        </ul>
      </div>
      <div className={css['foot']}>
        <SystemStatus />
        <button type="button" className={`${css['entry']} ${css['leave']}`} onClick={() => signOut('signed_out')}>
          <Icon name="logout" />
          Logout
        </button>
      </div>
    </nav>
  )
}

function Group({ group, current }: { group: NavGroup; current: NavItem | undefined }) {
  const [chosen, setChosen] = useState(() => load('openGroups')?.[group.label])
  const [held, setHeld] = useState(current !== undefined)
  // Arriving in a group opens it; after that the user's choice stands.
  if (held !== (current !== undefined)) {
    setHeld(current !== undefined)
    if (current) setChosen(true)
  }
  const open = chosen ?? (group.startsOpen === true || current !== undefined)
  const toggle = () => {
    setChosen(!open)
    save('openGroups', { ...load('openGroups'), [group.label]: !open })
  }
  const icon = navIcons[group.label]
  return (
    <>
      <button type="button" className={css['group']} aria-expanded={open} onClick={toggle}>
        {icon ? <Icon name={icon} /> : null}
        {group.label}
        <Icon name="expand" className={css['arrow']} />
      </button>
      {open ? (
        <ul className={`${css['list']} ${css['nested']}`}>
          {group.items.map((item) => (
            <li key={item.path}>
              {item.path === paths.purchases ? (
                <PurchasesEntry item={item} isCurrent={item === current} />
              ) : (
                <Entry item={item} isCurrent={item === current} />
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

type EntryProps = { item: NavItem; isCurrent: boolean; icon?: IconName | undefined; unread?: number }

function Entry({ item, isCurrent, icon, unread = 0 }: EntryProps) {
  return (
    <a
      href={item.path}
      className={css['entry']}
      aria-current={isCurrent ? 'page' : undefined}
      aria-description={unread > 0 ? `${unread} unread` : undefined}
    >
      {icon ? <Icon name={icon} /> : null}
      {item.label}
      {unread > 0 ? (
        <span className={css['unread']} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      ) : null}
    </a>
  )
}

function PurchasesEntry(props: EntryProps) {
  return <Entry {...props} unread={useUnreadPurchases()} />
}
