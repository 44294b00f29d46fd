import * as push from '@agency/contract/descriptors/push'
import type { PushSubscription as Listed } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockApi } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { PushDialog } from './PushDialog.tsx'

const aBrowser = (part: Partial<Listed> = {}): Listed => ({
  ...{ id: 'push_1', browser: 'Firefox on Windows', endpoint_hash: 'ab', created_at: '2026-11-20T10:00:00Z' },
  ...{ last_sent_at: null, last_error: null },
  ...part,
})

/** As much of a browser as is asked: jsdom has neither workers nor push. */
function stubBrowser(permission: NotificationPermission = 'granted') {
  const requestPermission = vi.fn(async () => permission)
  const subscribe = vi.fn(async () => ({
    endpoint: 'https://push.example.com/1',
    getKey: (name: string) => new Uint8Array(name === 'auth' ? 16 : 65).buffer,
  }))
  const registration = {
    active: { state: 'activated' },
    pushManager: { getSubscription: async () => null, subscribe },
  }
  const register = vi.fn(async () => registration)
  vi.stubGlobal('Notification', { permission: permission === 'denied' ? 'denied' : 'default', requestPermission })
  vi.stubGlobal('PushManager', {})
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { register, getRegistration: async () => registration },
  })
  return { requestPermission, subscribe, register }
}

const open = (rows: Listed[] = [], session = testSession()) => ({
  api: mockApi(push, {
    getPush: () => ({ public_key: 'BPub', subscriptions: rows }),
    subscribePush: () => ({ subscription: aBrowser() }),
    unsubscribePush: () => ({ deleted: true }),
    testPush: () => ({ state: 'gone', error: null }),
  }),
  ...renderPage(<PushDialog onClose={() => {}} />, { session }),
})
const turnOn = () => screen.findByRole('button', { name: 'Turn on in this browser' })

test('asks for permission only after a press, and subscribes with the key of the console', async () => {
  const browser = stubBrowser()
  const { api, user } = open()
  await turnOn()
  expect(browser.requestPermission).not.toHaveBeenCalled()
  await user.click(await turnOn())
  expect(await screen.findByText('Notifications are on in this browser')).toBeTruthy()
  expect(browser.register).toHaveBeenCalledWith('/push/worker.js', { scope: '/push/' })
  const call = api.calls().find(({ name }) => name === 'subscribePush')
  expect(call?.body).toMatchObject({ endpoint: 'https://push.example.com/1', keys: { auth: 'A'.repeat(22) } })
})

test('says that the browser did not permit it, and sends nothing', async () => {
  stubBrowser('default')
  const { api, user } = open()
  await user.click(await turnOn())
  expect(await screen.findByText('The browser blocked notifications')).toBeTruthy()
  expect(api.calls().map(({ name }) => name)).not.toContain('subscribePush')
})

test.each([
  ['a browser that refuses', () => stubBrowser('denied'), /blocked for this site/],
  ['a browser without push', () => Reflect.deleteProperty(window, 'PushManager'), /^Not available in this browser\./],
])('%s: what stands in the way is said beside the button', async (_, stub, words) => {
  stub()
  open()
  const button = (await turnOn()) as HTMLButtonElement
  const reason = await screen.findByText(words)
  expect(button.disabled).toBe(true)
  expect(button.getAttribute('aria-describedby')).toBe(reason.id)
})

test('lists the own browsers, tests one and turns it off', async () => {
  stubBrowser()
  const { api, user } = open([aBrowser({ last_error: 'The push service answered with status 400' })])
  const list = within(await screen.findByRole('list', { name: 'Your browsers' }))
  expect(list.getByText('The push service answered with status 400')).toBeTruthy()
  await user.click(list.getByRole('button', { name: 'Send test to Firefox on Windows' }))
  expect(await screen.findByText('Firefox on Windows has unsubscribed and was removed')).toBeTruthy()
  await user.click(list.getByRole('button', { name: 'Turn off Firefox on Windows' }))
  await waitFor(() => expect(api.calls().map(({ name }) => name)).toContain('unsubscribePush'))
})

test('says who may not have them', async () => {
  stubBrowser()
  open([], testSession(['analytics.read']))
  expect(await screen.findByText('Needs the permission sites.read')).toBeTruthy()
})
