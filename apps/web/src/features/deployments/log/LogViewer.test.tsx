import * as deployments from '@agency/contract/descriptors/deployments'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { aDeployment, aLogLine, deploymentDetailsOf, noDeployments } from '../../../../test/deployments.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage } from '../../../../test/render.tsx'
import { DeploymentsPage } from '../DeploymentsPage.tsx'

const seenPx = 400

// jsdom has no layout: the box shows twenty lines of twenty pixels.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(seenPx)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  Element.prototype.scrollTo = function scrollTo(this: Element, options?: ScrollToOptions | number) {
    if (typeof options === 'object') this.scrollTop = options.top ?? 0
    setTimeout(() => this.dispatchEvent(new Event('scroll')))
  } as typeof Element.prototype.scrollTo
  return () => vi.restoreAllMocks()
})

type Init = { texts?: string[]; complete?: boolean; stream?: BodyInit; route?: string }

function open({ texts = ['one', 'two', 'three'], complete = true, stream = '', route = '&view=log' }: Init = {}) {
  const lines = texts.map((text, index) => aLogLine(index + 1, text))
  const api = mockApi(deployments, {
    listDeployments: () => ({ deployments: [aDeployment()], has_more: false, total: 1, counts: noDeployments }),
    getDeployment: () => ({ deployment: deploymentDetailsOf({ is_log_complete: complete }) }),
    readDeploymentLog: ({ query }) => {
      const after = Number(query['after'])
      return { lines: lines.slice(after, after + 500), has_more: false, total: lines.length, complete }
    },
    findLogMatches: ({ query }) => {
      const numbers = lines.filter(({ text }) => text.includes(query['search'] ?? '')).map(({ number }) => number)
      return { numbers, total: numbers.length }
    },
    streamDeploymentLog: () => new Response(stream),
    downloadDeploymentLog: () => new Response(texts.join('\n')),
  })
  return { api, ...renderPage(<DeploymentsPage />, { route: `/admin/deployments?open=dep_1${route}` }) }
}
const log = async () => within(await screen.findByRole('region', { name: 'Log of Harbour Bakery' }))
const many = (count: number) => Array.from({ length: count }, (_, index) => `step ${index + 1}`)
const named = () => document.querySelector('[data-named="true"]')?.getAttribute('data-line')

test('shows the lines with their numbers, which are links', async () => {
  open({ texts: ['plain', '\u001b[31mred\u001b[0m', '<b>bold</b>'] })
  const region = await log()
  expect((await region.findByText('red')).dataset['color']).toBe('red')
  expect(region.getByText('<b>bold</b>')).toBeTruthy()
  expect(region.getByRole('link', { name: 'Line 2' }).getAttribute('href')).toBe('?open=dep_1&view=log&line=2')
})

test('of a long log only what is seen is drawn and read', async () => {
  const { api } = open({ texts: many(100_000) })
  const region = await log()
  await region.findByText('step 1')
  expect(document.querySelectorAll('[data-line]').length).toBeLessThan(150)
  const reads = api.calls().filter(({ name }) => name === 'readDeploymentLog')
  expect(reads.map(({ query }) => query['after'])).toEqual(['0'])
})

test.each(['&view=log&line=40', '#L40'])('%s names a line', async (route) => {
  open({ texts: many(60), route })
  await log()
  await waitFor(() => expect(named()).toBe('40'))
  expect(screen.getByRole('button', { name: 'Copy link to line 40' })).toBeTruthy()
})

test('searches the whole log, counts what it found, and goes from one to the next', async () => {
  const texts = many(60)
  texts[4] = 'an error'
  texts[29] = 'another error'
  const { user } = open({ texts })
  await log()
  await user.keyboard('/')
  const field = screen.getByRole('searchbox', { name: 'Search the log' })
  expect(document.activeElement).toBe(field)
  await user.type(field, 'error')
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  await waitFor(() => expect(named()).toBe('5'))
  expect(document.querySelector('mark')?.textContent).toBe('error')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('2 of 2')).toBeTruthy()
  expect(window.location.search).toContain('line=30')
  field.blur()
  await user.keyboard('n')
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  await user.keyboard('N')
  expect(await screen.findByText('2 of 2')).toBeTruthy()
})

test('Escape empties the search first, and closes the dialog then', async () => {
  const { user } = open()
  await log()
  const field = screen.getByRole('searchbox', { name: 'Search the log' })
  await user.type(field, 'zebra')
  expect(await screen.findByText('No match')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(field).toHaveProperty('value', '')
  expect(screen.getByRole('dialog')).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('new lines come over the stream until the log ends', async () => {
  const event = (data: object) => `event: lines\ndata: ${JSON.stringify(data)}\n\n`
  const stream = `${event({ lines: [aLogLine(4, 'four')], total: 4, complete: false })}event: end\ndata: {}\n\n`
  const { api } = open({ complete: false, stream })
  const region = await log()
  expect(await region.findByText('four')).toBeTruthy()
  const [opened] = api.calls().filter(({ name }) => name === 'streamDeploymentLog')
  expect(opened?.query['after']).toBe('3')
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Follow' }).disabled).toBe(true))
})

test('whoever scrolls up is not pulled back by a line that comes before the browser tells of the scroll', async () => {
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function height(this: Element) {
    return Number.parseInt(this.querySelector<HTMLElement>('[style*="height"]')?.style.height ?? '0', 10)
  })
  const lines = new TransformStream<string, string>()
  const writer = lines.writable.getWriter()
  const come = (number: number) => {
    const data = { lines: [aLogLine(number, `step ${number}`)], total: number, complete: false }
    return writer.write(`event: lines\ndata: ${JSON.stringify(data)}\n\n`)
  }
  open({ texts: many(80), complete: false, stream: lines.readable.pipeThrough(new TextEncoderStream()) })
  const box = await screen.findByRole('region', { name: 'Log of Harbour Bakery' })
  await waitFor(() => expect(box.scrollTop).toBe(80 * 20))
  await come(81)
  await waitFor(() => expect(box.scrollTop).toBe(81 * 20))

  box.scrollTop = 300
  await come(82)
  expect(await screen.findByRole('button', { name: 'Jump to the last line' })).toBeTruthy()
  expect(box.scrollTop).toBe(300)
})

test('each line has its time beside its number', async () => {
  open()
  const line = (await (await log()).findByText('two')).closest('[data-line]')
  expect(line?.querySelector('time')?.dateTime).toBe('2026-11-21T10:00:10Z')
  expect(line?.querySelector('time')?.textContent).toMatch(/^\d\d:00:10$/)
})

test('a log that is complete opens no stream', async () => {
  const { api } = open()
  await (await log()).findByText('three')
  expect(api.calls().filter(({ name }) => name === 'streamDeploymentLog')).toEqual([])
})

test('a log without lines says why', async () => {
  open({ texts: [] })
  expect(await screen.findByText('No log.')).toBeTruthy()
})

test('lines that cannot be read are told, and tried again', async () => {
  const { client, user } = open({ route: '' })
  await within(await screen.findByRole('dialog')).findByText('Deployment ID')
  mockApi(deployments, { readDeploymentLog: () => problem(503, { code: 'unavailable', detail: 'Down' }) })
  await user.click(screen.getByRole('tab', { name: 'Log' }))
  expect(await screen.findByText('The log could not be read.')).toBeTruthy()
  mockApi(deployments, {
    readDeploymentLog: () => ({ lines: [aLogLine(1, 'back')], has_more: false, total: 1, complete: true }),
  })
  const failure = within(screen.getByRole('alert'))
  await user.click(failure.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('back')).toBeTruthy()
  expect(client.isFetching()).toBe(0)
})

test('a line is named, and its link copied, by the keyboard alone', async () => {
  const { user } = open({ texts: many(60) })
  const region = await screen.findByRole('region', { name: 'Log of Harbour Bakery' })
  await within(region).findByText('step 1')
  region.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(named()).toBe('1'))
  await user.keyboard('jjjk')
  await waitFor(() => expect(named()).toBe('3'))
  screen.getByRole('button', { name: 'Copy link to line 3' }).focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Link to line 3 copied')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toMatch(/line=3$/)
})

test('wraps long lines when asked', async () => {
  const { user } = open()
  const region = await screen.findByRole('region', { name: 'Log of Harbour Bakery' })
  await user.click(screen.getByRole('button', { name: 'Wrap lines' }))
  expect(region.dataset['wrap']).toBe('true')
})

test('copies the whole log', async () => {
  const { user } = open()
  await log()
  await user.click(screen.getByRole('button', { name: 'Copy log' }))
  expect(await screen.findByText('Log copied')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('one\ntwo\nthree')
})
