// Addresses in the generated town: each street has a unique name, and each building has a unique number in its street.

/** Blocks along a street with one name. */
const BLOCKS_PER_STREET = 16;
/** Maximum number of lots of a block along a street. */
const LOTS_PER_BLOCK = 8;
/** Maximum number of streets west of the town centre, and of rows of blocks north of it. */
const STREETS_WEST = 5;
const ROWS_NORTH = 96;

const WORDS = `Elm Oak Ash Birch Cedar Maple Willow Hazel Alder Beech Poplar Linden Rowan Larch Aspen Chestnut
  Walnut Cherry Plum Pear Apple Quince Medlar Mulberry Bramble Heather Ivy Fern Clover Thistle Bracken Juniper
  Robin Wren Finch Linnet Thrush Starling Swallow Swift Lark Heron Plover Curlew Kestrel Merlin Falcon Osprey
  Otter Badger Fox Hare Stoat Marten Beaver Hedgehog Salmon Trout Pike Perch Minnow Grayling Sturgeon Carp
  Baker Miller Cooper Fuller Weaver Tanner Potter Mason Thatcher Turner Carter Chandler Saddler Glover Draper Mercer
  Bridge Mill Market Church Castle Harbour Station Garden Orchard Meadow River Forest Valley Quarry Ferry Tower
  Amber Coral Opal Garnet Jasper Agate Pearl Copper Silver Granite Marble Slate Flint Chalk Pewter Ivory
  January February March April May June July August September October November December Morning Evening Summer Winter`.split(
  /\s+/,
);
const KINDS = [
  'Street',
  'Road',
  'Lane',
  'Avenue',
  'Way',
  'Row',
  'Walk',
  'Place',
  'Drive',
  'Rise',
  'Gardens',
  'Terrace',
  'Crescent',
  'Close',
  'Park',
  'Quay',
];
/** Step in the list of names, so that adjacent streets get different words. Coprime to the number of names. */
const SCATTER = 1237;

/** A lot of a block: columns run east along the street, rows run south. */
export interface LotPlace {
  readonly blockColumn: number;
  readonly blockRow: number;
  readonly column: number;
  readonly row: number;
  readonly rows: number;
}

/** For instance "Elm Street 12". The suffix "b" marks a building behind another one with the same number. */
export function addressOf({ blockColumn, blockRow, column, row, rows }: LotPlace): string {
  const isSouthOfStreet = row < rows / 2;
  const street = streetName(Math.floor(blockColumn / BLOCKS_PER_STREET), isSouthOfStreet ? blockRow : blockRow + 1);
  const place =
    (blockColumn - Math.floor(blockColumn / BLOCKS_PER_STREET) * BLOCKS_PER_STREET) * LOTS_PER_BLOCK + column;
  const isBehind = (isSouthOfStreet ? row : rows - 1 - row) > 0;
  return `${street} ${2 * place + (isSouthOfStreet ? 1 : 2)}${isBehind ? 'b' : ''}`;
}

function streetName(column: number, row: number): string {
  const names = WORDS.length * KINDS.length;
  const street = (row + ROWS_NORTH) * 2 * STREETS_WEST + column + STREETS_WEST;
  if (street < 0 || street >= names)
    throw new RangeError(
      `streetName: the town has names for ${names} streets, and none for column ${column}, row ${row}`,
    );
  const at = (street * SCATTER) % names;
  return `${WORDS[at % WORDS.length]} ${KINDS[Math.floor(at / WORDS.length)]}`;
}
