//! Friends of trading accounts: what people ask for, and what the platform shows.

mod add_friend;
mod change_friend;
mod follow;
pub(crate) mod friend_moves;
mod read;
mod record_friend_list;
mod refresh_friends;

pub use add_friend::AddFriend;
pub use change_friend::{AcceptFriend, BlockFriend, RemoveFriend, UnblockFriend};
pub use follow::{BeginFriendAction, FriendReadings, OpenFriendActions, RecordFriendAnswer};
pub use read::*;
pub use record_friend_list::RecordFriendList;
pub use refresh_friends::RefreshFriends;
