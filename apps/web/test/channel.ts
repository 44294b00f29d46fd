/** Like the browser's channel, but at once and within one test file: the real one would reach the tests of other files. */
export class TestChannel {
  static all: TestChannel[] = []
  onmessage: ((event: { data: unknown }) => void) | null = null
  readonly name: string

  constructor(name: string) {
    this.name = name
    TestChannel.all.push(this)
  }

  postMessage(data: unknown) {
    for (const other of TestChannel.all) {
      if (other !== this && other.name === this.name) other.onmessage?.({ data })
    }
  }

  close() {
    TestChannel.all = TestChannel.all.filter((other) => other !== this)
  }
}
