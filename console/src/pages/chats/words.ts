import { ChatMessageStatus as S, type ChatMessage, type Conversation } from "../../gen/trading/v1/chat_pb.ts";

/** The calls whose answers are old after a message was written or a conversation was read. */
export const CHATS = ["ListConversations", "CountConversations", "GetConversation", "GetConversations", "ListMessages"];
export const isUnread = (c: Conversation): boolean => (c.unread ?? 0) > 0;

const FAILURES: Record<string, string> = {
  NOT_FOUND: "the platform knows no such account",
  REJECTED: "the platform rejected it. They are no friends, or allow no messages",
  CHAT_DISABLED: "the chat of the account was disabled before",
  NOT_SHOWN:
    "the call had no answer, and the platform does not show the message. It is not sent again: write it again if you know that it did not arrive",
};
/** What is not as it should be with a message of ours, as a sentence. */
export function troubleOf(m: ChatMessage): string {
  switch (m.status) {
    case S.DRAFT:
      return "It waits for the engine, which sends it once.";
    case S.UNCERTAIN:
      return "It may have been sent: the call had no answer. The next look at the conversation decides, and it is not sent again.";
    case S.FAILED:
      return `It was not sent: ${FAILURES[m.failure ?? ""] ?? (m.failure || "the reason is not known")}.`;
    default:
      return "";
  }
}
/** A text in lines. Nothing in it is a link or a command. */
export const linesOf = (text: string | undefined): readonly string[] => (text ?? "").split("\n");
