import type { Address, Catalog } from '../catalog/model.ts';
import { isNamespaceKnown } from '../plan/client-id.ts';
import type { Change, Plan } from '../plan/model.ts';
import { namesFrom } from '../plan/names.ts';
import type { Names } from '../resources/fields.ts';
import type { RecordOrigin } from '../state/model.ts';
import type { ApplyEvent, Halt, WriteHalt, WriterPorts } from './model.ts';
import { Writer } from './writer.ts';

/** What one apply works with. */
export interface ApplyPorts extends WriterPorts {
  readonly catalog: Catalog;
  /** Is recorded with every write. */
  readonly origin?: RecordOrigin;
  readonly emit: (event: ApplyEvent) => void;
  /** A person called the environment new: what the state does not know does not exist. */
  readonly isNew?: boolean;
  /** Most writes at a time. */
  readonly parallel: number;
}

/** The one mutable thing of an apply: why it stops, and what its answers have taught it. */
export class Run {
  readonly ports: ApplyPorts;
  readonly writer: Writer<Exclude<Halt, WriteHalt>>;
  #clientIdHonoured: boolean | undefined;
  #names: Names | undefined;

  /** Records that the plan replaces, by address: until the new one is there, its IDs are not to be had. */
  readonly #replaced: ReadonlyMap<Address, string | null>;

  /**
   * Whether the idNamespace is the one of the state that is recovered. IDs that are derived from another one find
   * nothing, and every item would be created a second time: until one item is known under a derived ID, creates are
   * held back.
   */
  isNamespaceKnown: boolean;
  /** An item was found under an ID that is declared, which is the same in every namespace. */
  #isDeclaredFound = false;
  readonly #heldBack: Change[] = [];

  constructor(ports: ApplyPorts, { changes, recover }: Plan, clientIdHonoured: boolean) {
    const { environment, recorder } = ports;
    this.ports = ports;
    this.writer = new Writer(ports);
    this.isNamespaceKnown = !recover || isNamespaceKnown(environment.idNamespace, recorder.current());
    const replaced = changes.filter(({ action }) => action === 'replace');
    this.#replaced = new Map(replaced.map(({ address, remoteId }) => [address, remoteId]));
    this.#clientIdHonoured = clientIdHonoured || undefined;
  }

  /** True for a record that the plan replaces and that is still the one of its address. */
  awaitsReplacement(address: Address): boolean {
    return (
      this.#replaced.has(address) &&
      this.ports.recorder.entries.find('live', address)?.id === this.#replaced.get(address)
    );
  }

  /** Learns from an item that was found. True once: to look into the state, to record it there, copies it whole. */
  learnFound(change: Change): boolean {
    const wasKnown = this.isNamespaceKnown;
    if (this.#hasDeclaredId(change)) this.#isDeclaredFound = true;
    else this.isNamespaceKnown = true;
    return this.isNamespaceKnown && !wasKnown;
  }

  /** Whether an item that was looked for, and is not there, may be created. Else it waits for something to be found. */
  mayCreate(change: Change): boolean {
    return this.isNamespaceKnown || (this.#isDeclaredFound && this.#hasDeclaredId(change));
  }

  holdBack(change: Change): void {
    this.#heldBack.push(change);
  }

  /** What was held back and may go on now. */
  released(): readonly Change[] {
    return this.#heldBack.splice(0).filter((change) => this.mayCreate(change));
  }

  #hasDeclaredId({ key }: Change): boolean {
    return this.ports.catalog.items.get(key)?.declaration.id !== undefined;
  }

  get halted(): Halt | undefined {
    return this.writer.halted;
  }

  /** Whether an item create can be repeated without making a second record; undefined: not seen yet. */
  get clientIdHonoured(): boolean | undefined {
    return this.#clientIdHonoured;
  }

  /** One ignored ID outweighs everything else: from then on no create is repeated. */
  learnClientId(honoured: boolean): void {
    if (this.#clientIdHonoured !== false) this.#clientIdHonoured = honoured;
  }

  /** Names as of the last recorded classifier; building them looks at every record, so they are kept. */
  names(): Names {
    const { catalog, environment, recorder } = this.ports;
    this.#names ??= namesFrom({
      catalog,
      entries: recorder.entries,
      attributeIds: environment.attributes,
    });
    return this.#names;
  }

  classifierRecorded(): void {
    this.#names = undefined;
  }
}
